import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('unknown-property', 'foreign-name', 'misplaced-property', 'schema');

test('a key that nothing reads is marked, with the nearest names', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "temprature": 0.5,
//^^^^^^^^^^^^ unknown-property Nothing reads "temprature" here. Did you mean "temperature"?
  "favourite_colour": "blue",
//^^^^^^^^^^^^^^^^^^ unknown-property Nothing reads "favourite_colour" here. Remove it.
  "budget": { "max_costs": 1 }
//            ^^^^^^^^^^^ unknown-property Did you mean "max_cost"?
}`));

test('a misspelt name of another tool leads to ours, and what is like no name to the options', () =>
  check(`--- config/llms/x.json
{ "llm_id": "x", "modle": "gpt-5.4", "max_token": 100, "grammar": "g" }
//               ^^^^^^^ unknown-property Nothing reads "modle" here. Did you mean "model_name"?
//                                   ^^^^^^^^^^^ unknown-property Nothing reads "max_token" here. Did you mean "max_output_tokens"?
//                                                     ^^^^^^^^^ misplaced-property it belongs in options`));

test('expectations that nothing reads are an error: they would judge nothing', async () => {
  const set = `--- config/payloads/A2/set.json
{ "cases": [{ "input": {}, "expects": [] }, { "turns": [{ "input": {}, "expct": [] }] }, { "input": {}, "tag": [] }] }`;
  const found = await findingsOf(set, ['unknown-property']);
  expect(found.map(({ severity, pointer }) => `${severity} ${pointer}`)).toEqual([
    'error /cases/0/expects',
    'error /cases/1/turns/0/expct',
    'warning /cases/2/tag',
  ]);
});

test('each kind has its own keys', () =>
  check(`--- config/llms/x.json
{ "llm_id": "x", "base_uri": "http://localhost" }
//               ^^^^^^^^^^ unknown-property Did you mean "base_url"?
--- config/personas/p.json
{ "system_text": "x", "agent_name": "A2" }
//                    ^^^^^^^^^^^^ unknown-property Nothing reads "agent_name" here.
--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "x", "few_shot_example": [{ "input": 1, "output": 2, "why": 3 }] }
//                                               ^^^^^^^^^^^^^^^^^^ unknown-property Did you mean "few_shot_examples"?
--- config/system.json
{ "agent_defaults": { "temprature": 1 }, "llms": { "x": { "modelname": "y" } } }
//                    ^^^^^^^^^^^^ unknown-property Did you mean "temperature"?
//                                                        ^^^^^^^^^^^ unknown-property Did you mean "model_name"?
--- agentstack.json
{ "enviroment": "dev", "models": { "m": { "context": 5 } } }
//^^^^^^^^^^^^ unknown-property Did you mean "environment"?
//                                        ^^^^^^^^^ unknown-property
--- config/payloads/A2/first.json
{ "input": { "anything": 1 }, "imput": 2 }
//                            ^^^^^^^ unknown-property Did you mean "input"?`));

test('free-form objects hold any key', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "defaults": { "system": "x", "name": 1 },
  "enums": { "model": ["a"] },
  "output_schema": { "type": "object", "x-note": 1, "properties": { "id": { "type": "string" } } }
}`));

test('a name that objects have anyway is unknown all the same', async () => {
  const findings = await findingsOf('{ "agent_name": "A2", "version": "v1", "__proto__": 1, "constructor": 2 }', ['unknown-property']);
  expect(findings.map(({ pointer }) => pointer)).toEqual(['/__proto__', '/constructor']);
});

test('a key with a slash and a tilde is found again', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "a/b~c": 1
//^^^^^^^ unknown-property Nothing reads "a/b~c" here
}`));

test('in a policy it is an error, since it would assert nothing', async () => {
  const text = '{ "policy": { "nevr": [], "never": [{ "from": "untrusted", "to": "sends", "witout": "approval" }] }, "tracng": {} }';
  const findings = await findingsOf(`{}\n--- config/system.json\n${text}`, ['unknown-property']);
  expect(findings.map(({ pointer, severity }) => `${severity} ${pointer}`)).toEqual([
    'error /policy/nevr',
    'error /policy/never/0/witout',
    'warning /tracng',
  ]);
});
