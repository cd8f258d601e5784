import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('input-invalid', 'schema', 'foreign-name', 'misplaced-property', 'unknown-property');

const agent = (name: string, fields: object, version = 'v1') =>
  `--- config/agents/${name}/${version}.json\n${JSON.stringify({ agent_name: name, version, agent_type: 'react', model_name: 'gpt-4.1', ...fields })}`;

const triage = agent('Triage', {
  input_keys: ['title'],
  input_schema: {
    type: 'object',
    properties: { title: { type: 'string' }, lines: { type: 'integer', minimum: 1 }, level: { enum: ['low', 'high'] } },
    required: ['title', 'lines'],
    additionalProperties: false,
  },
});

test('a payload lacks keys, has too many, or has values of the wrong type', () =>
  check(`--- config/payloads/Triage/one.json
{ "input": { "lines": "many", "level": "mid", "extra": 1 } }
//^^^^^^^ input-invalid Triage@v1 needs the key "title", which is missing here.
//                    ^^^^^^ input-invalid Triage@v1 refuses this input: "lines" must be a whole number.
//                                     ^^^^^ input-invalid "level" must be "low" or "high".
//                                            ^^^^^^^ input-invalid "extra" is not allowed: the schema has no field "extra" here.
--- config/payloads/Triage/two.json
{ "input": { "titlee": "x", "lines": 2 } }
//           ^^^^^^^^ input-invalid Triage@v1 needs the key "title", and nothing uses "titlee". Did you mean "title"?
--- config/payloads/Triage/fine.json
{ "input": { "title": "x", "lines": 2 } }
${triage}`));

test('a payload without "input" is told where what it says belongs', () =>
  check(`--- config/payloads/Triage/one.json
{ "inputs": { "title": "x" } }
//^^^^^^^^ foreign-name "inputs" is another tool's name for "input".
--- config/payloads/Triage/two.json
{ "title": "x" }
^ schema lacks "input"
//^^^^^^^ misplaced-property
${triage}`));

test('a case of an orchestration may be an expectation alone, and one of an agent may not', () =>
  check(`--- config/payloads/o/alone.json
{ "expect": [{ "status": "success" }] }
--- config/payloads/o/set.json
{ "cases": [{ "name": "one", "expect": [{ "status": "success" }] }] }
--- config/orchestrations/o.json
{ "name": "o", "entry_team": "t", "teams": { "t": { "name": "T", "tasks": [{ "name": "d", "agent": "Triage@v1", "input": { "title": "x", "lines": 1 } }], "routing": { "default": null } } } }
--- config/payloads/Triage/one.json
{ "expect": [{ "status": "success" }] }
^ input-invalid Triage is an agent, and this case gives it no input. Add "input".
--- config/payloads/Triage/set.json
{ "cases": [{ "expect": [{ "status": "success" }] }, { "input": { "title": "x", "lines": 1 } }] }
//          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ input-invalid Triage is an agent, and this case gives it no input. Add "input".
${triage}`));

test('a conversation is asked of an agent that remembers it, turn by turn', () =>
  check(`--- config/payloads/Triage/one.json
{ "turns": [{ "input": { "title": "x", "lines": 1 } }, { "input": { "title": "y" } }] }
//^^^^^^^ input-invalid Triage@v1 remembers no conversation, so it would answer each turn without the others. Give it "include_history": true, or make each turn a case of its own, with "input" and "expect".
//                                                       ^^^^^^^ input-invalid Triage@v1 needs the key "lines", which is missing here.
--- config/payloads/Triage/alone.json
{ "turns": [{ "input": { "title": "x", "lines": 1 } }] }
--- config/payloads/Talker/set.json
{ "cases": [{ "turns": [{ "input": { "message": "x" } }, { "input": { "message": "y" } }] }, { "turns": [{ "input": {} }] }] }
//                                                                                                         ^^^^^^^ input-invalid Talker@v1 needs the key "message"
--- config/payloads/Planner/one.json
{ "turns": [{ "input": {} }, { "input": {} }] }
//^^^^^^^ input-invalid Planner@v1 follows a plan and remembers no conversation. Instead of "turns", make each turn a case of its own, with "input" and "expect".
--- config/payloads/o/one.json
{ "turns": [{ "input": {} }] }
//^^^^^^^ input-invalid o is an orchestration, and its runs remember no conversation. Instead of "turns", make each turn a case of its own, with "context" and "expect".
--- config/orchestrations/o.json
{ "name": "o", "entry_team": "t", "teams": { "t": { "name": "T", "tasks": [{ "name": "d", "agent": "Triage@v1", "input": { "title": "x", "lines": 1 } }], "routing": { "default": null } } } }
${agent('Planner', { agent_type: 'orchestrating', include_history: true, execution_plan: { steps: [{ name: 'one', llm: 'Say hello' }] } })}
${agent('Talker', { input_keys: ['message'], include_history: true })}
${triage}`));

test('a case is a conversation or an input, and a turn has an input', () =>
  check(`--- config/payloads/Talker/one.json
{ "turns": [{ "input": { "message": "x" } }], "input": { "message": "x" }, "expect": [{ "status": "success" }] }
//                                            ^^^^^^^ schema is not allowed together with "turns"
//                                                                         ^^^^^^^^ schema is not allowed together with "turns"
--- config/payloads/Talker/two.json
{ "turns": [{ "message": "x" }] }
//          ^^^^^^^^^^^^^^^^^^ schema lacks "input"
//            ^^^^^^^^^ unknown-property
--- config/payloads/Talker/set.json
{ "turns": [{ "input": { "message": "x" } }], "cases": [{ "input": { "message": "x" } }] }
//^^^^^^^ schema is not allowed together with "cases"
${agent('Talker', { input_keys: ['message'], include_history: true })}`));

test('one version that takes a payload is enough', () =>
  check(`--- config/payloads/A/one.json
{ "input": { "task": "x" } }
--- config/payloads/A/two.json
{ "input": {} }
//^^^^^^^ input-invalid A@v2 needs the key "question"
${agent('A', { input_keys: ['task'] })}
${agent('A', { input_keys: ['question'] }, 'v2')}`));

test('the input of a task is judged as far as templates leave no doubt', () =>
  check(`--- config/orchestrations/o.json
{
  "name": "o",
  "entry_team": "t",
  "teams": {
    "t": {
      "name": "T",
      "tasks": [
        { "name": "a", "agent": "Triage@v1", "input": { "title": "{{context.title}}", "lines": "{{context.lines}}", "level": "{{context.level}}" } },
        { "name": "b", "agent": "Triage@v1", "input": { "lines": "{{context.lines}} lines", "level": "{{context.level}}ish" } },
//                                           ^^^^^^^ input-invalid needs the key "title"
//                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^ input-invalid "lines" must be a whole number.
        { "name": "c", "agent": "Triage@v1", "input": "{{context}}" },
        { "name": "d", "agent": "Triage@v1" }
      ],
      "routing": { "default": null }
    }
  }
}
${triage}`));

test('the input of a step is judged against the agent it calls', () =>
  check(`--- config/agents/Plan/v1.json
{
  "agent_name": "Plan", "version": "v1", "agent_type": "orchestrating",
  "execution_plan": {
    "steps": [
      { "name": "a", "agent": "Triage", "input": { "title": "{{input.title}}", "lines": 0 } },
//                                                                                      ^ input-invalid "lines" must be at least 1.
      { "name": "b", "agent": "Triage@v1", "input": { "title": 4, "lines": 1 } },
//                                                             ^ input-invalid "title" must be a string.
      { "name": "c", "agent": "Triage@v1" },
      { "name": "d", "skill": "calculator", "input": { "expresion": "1 + 1" } },
//                                                     ^^^^^^^^^^^ input-invalid The skill "calculator" needs the key "expression", and nothing uses "expresion".
      { "name": "e", "skill": "calculator", "input": { "expression": "{{input.title}} + 1" } }
    ]
  }
}
${triage}`));

test('alternatives that a template decides on are left to the run', () =>
  check(`--- config/agents/Plan/v1.json
{
  "agent_name": "Plan", "version": "v1", "agent_type": "orchestrating",
  "execution_plan": { "steps": [{ "name": "a", "agent": "Either", "input": { "kind": "{{input.kind}}", "n": "x" } }] }
}
${agent('Either', { input_schema: { type: 'object', anyOf: [{ properties: { kind: { const: 'a' }, n: { type: 'integer' } } }, { properties: { kind: { const: 'b' } } }] } })}`));

test('an input schema that is no good is not what the input is judged by', async () => {
  const bad = agent('Bad', { input_schema: { type: 'objekt' } });
  expect(await findingsOf(`--- config/payloads/Bad/one.json\n{ "input": {} }\n${bad}`, ['input-invalid'])).toEqual([]);
});

test('the plan of a persona is checked for each agent that has it', () =>
  check(`--- config/agents/Planner/v1.json
{ "agent_name": "Planner", "version": "v1", "persona_key": "planning" }
//                                                         ^^^^^^^^^^ input-invalid Taker@v1 needs the key "text", and nothing uses "txt". Did you mean "text"?
--- config/agents/Taker/v1.json
{ "agent_name": "Taker", "version": "v1", "input_keys": ["text"] }
--- config/personas/planning.json
{ "agent_type": "orchestrating", "execution_plan": { "steps": [{ "name": "a", "agent": "Taker", "input": { "txt": "x" } }] } }
//                                                                                                                ^^^ related The input is given here.
`));

test('what a case gives stands under the key of what it is for', async () => {
  const { flow, tone } = await import('../support/evalFixture.js');
  const text = `${tone}
${flow}
--- config/payloads/Tone/one.json
{ "context": {} }
--- config/payloads/Tone/set.json
{ "cases": [{ "input": {} }, { "context": {} }] }
--- config/payloads/flow/one.json
{ "input": {} }`;
  const findings = await findingsOf(text, ['input-invalid']);
  expect(findings.map(({ file, pointer, message }) => `${file.slice('config/payloads/'.length)} ${pointer} ${message}`)).toEqual([
    'Tone/one.json /context Tone is an agent, so its input belongs under "input". Rename the key.',
    'Tone/set.json /cases/1/context Tone is an agent, so its input belongs under "input". Rename the key.',
    'flow/one.json /input flow is an orchestration, so its input belongs under "context". Rename the key.',
  ]);
});
