import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('unknown-property', 'foreign-name', 'misplaced-property', 'schema');

test('a key nobody reads is marked, with the nearest names', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "temprature": 0.5,
//^^^^^^^^^^^^ unknown-property Nobody reads "temprature" here. Did you mean "temperature"?
  "favourite_colour": "blue",
//^^^^^^^^^^^^^^^^^^ unknown-property Nobody reads "favourite_colour" here. Remove it.
  "budget": { "max_costs": 1 }
//            ^^^^^^^^^^^ unknown-property Did you mean "max_cost"?
}`));

test('each kind has its own keys', () =>
  check(`--- config/llms/x.json
{ "llm_id": "x", "base_uri": "http://localhost" }
//               ^^^^^^^^^^ unknown-property Did you mean "base_url"?
--- config/personas/p.json
{ "system_text": "x", "agent_name": "A2" }
//                    ^^^^^^^^^^^^ unknown-property Nobody reads "agent_name" here.
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

test('a key below the root with another tool’s name is unknown, and its own name is proposed', () =>
  check(`--- config/system.json
{ "agent_defaults": { "max_tokens": 5 } }
//                    ^^^^^^^^^^^^ unknown-property Did you mean "max_output_tokens"?`));

test('a name that objects have anyway is unknown all the same', async () => {
  const findings = await findingsOf('{ "agent_name": "A2", "version": "v1", "__proto__": 1, "constructor": 2 }', ['unknown-property']);
  expect(findings.map(({ pointer }) => pointer)).toEqual(['/__proto__', '/constructor']);
});

test('a key with a slash and a tilde is found again', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "a/b~c": 1
//^^^^^^^ unknown-property Nobody reads "a/b~c" here
}`));
