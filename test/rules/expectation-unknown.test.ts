import { expect, test } from 'vitest';
import { checkRule, findingsOf, sentencesOf } from '../support/checkRule.js';
import { caseOf, flow, judges, tone } from '../support/evalFixture.js';

const check = checkRule('expectation-unknown');

const found = (...sections: readonly string[]) => sentencesOf(sections.join('\n'), 'expectation-unknown');

test('a field that the newest version of the agent lacks is marked in its path', () =>
  check(`${tone}
--- config/agents/Tone/v2.json
{
  "agent_name": "Tone", "version": "v2",
  "output_schema": { "type": "object", "properties": { "tones": { "type": "object", "properties": { "first": {} } } } }
//^^^^^^^^^^^^^^^ related The fields are listed here.
//                                                     ^^^^^^^ related The fields are listed here.
}
--- config/payloads/Tone/one.json
{
  "input": {},
  "expect": [
    { "output_field": "tone", "operator": "exists" },
//                     ^^^^ expectation-unknown The answer of Tone@v2 has no field "tone". Did you mean "tones"?
    { "any": [{ "not": { "output_field": "tones.frist", "operator": "exists" } }] }
//                                              ^^^^^ expectation-unknown "tones" of Tone@v2 has no field "frist". Did you mean "first"?
  ]
}`));

test('a field of an example answer that the agent lacks is marked at its key', () =>
  check(`${tone}
--- config/payloads/Tone/set.json
{
  "expected": { "tone": "formal", "notes": "x" },
//                                ^^^^^^^ expectation-unknown The answer of Tone@v1 has no field "notes". Did you mean "note"?
  "cases": [
    { "input": {}, "expected": { "language": "en" } },
//                               ^^^^^^^^^^ expectation-unknown The answer of Tone@v1 has no field "language". It has "tone", "score", "note" and "tags".
    { "input": {}, "expected": "A text" }
  ]
}`));

test.each([
  '"additionalProperties": true',
  '"additionalProperties": { "type": "string" }',
  '"patternProperties": { "^x-": {} }',
  '"anyOf": [{ "properties": { "other": {} } }]',
])('a schema with %s may have other fields', async (more) => {
  const agent = `--- config/agents/Tone/v1.json
{ "agent_name": "Tone", "version": "v1", "output_schema": { "type": "object", "properties": { "tone": {} }, ${more} } }`;
  expect(await found(agent, caseOf('Tone', '', ', "expected": { "other": "x" }'))).toEqual([]);
});

test.each([
  ['Tone', '{ "tool": "search", "operator": "equals", "value": 0 }', '/tool Tone@v1 has no tool "search".'],
  ['Tone', '{ "task": "draft", "status": "success" }', '/task Tone@v1 is an agent, which has no tasks. Only an orchestration does.'],
  [
    'Tone',
    '{ "route": true, "operator": "contains", "value": "a" }',
    '/route Tone@v1 is an agent, which has no teams. Only an orchestration does.',
  ],
  [
    'Tone',
    '{ "context_field": "a", "operator": "exists" }',
    '/context_field Tone@v1 is an agent, which has no context. Only an orchestration does.',
  ],
  [
    'Tone',
    '{ "judge": "Fairr@v1", "output_field": "verdict", "operator": "exists" }',
    '/judge There is no agent "Fairr" that could judge. Did you mean "Fair@v1"?',
  ],
  [
    'Tone',
    '{ "judge": "Fair@v3", "output_field": "verdict", "operator": "exists" }',
    '/judge The agent "Fair" has no version "v3". Did you mean "Fair@v1"?',
  ],
  [
    'Tone',
    '{ "judge": "Fair@v1", "output_field": "verdikt", "operator": "exists" }',
    '/output_field The answer of the judge "Fair@v1" has no field "verdikt". Did you mean "verdict"?',
  ],
  [
    'Mute',
    '{ "output_field": "answer", "operator": "exists" }',
    '/output_field The answer of Mute@v1 is a text and has no field "answer". Expect something of "text": true, or give the agent an output_schema.',
  ],
  ['flow', '{ "task": "drafts", "status": "success" }', '/task flow has no task "drafts". Did you mean "draft"?'],
  [
    'flow',
    '{ "task": "check", "output_field": "tone", "operator": "exists" }',
    '/output_field The answer of the task "check" has no field "tone". It has "verdict" and "why".',
  ],
  [
    'flow',
    '{ "output_field": "tone", "operator": "exists" }',
    '/output_field The answer of flow has no field "tone". Name the task whose answer it is, with "task".',
  ],
  [
    'flow',
    '{ "route": true, "operator": "equals", "value": ["write", "reviews"] }',
    '/value/1 flow has no team "reviews". Did you mean "review"?',
  ],
  ['flow', '{ "route": true, "operator": "contains", "value": "end" }', '/value flow has no team "end". There are "write" and "review".'],
  [
    'flow',
    '{ "context_field": "rounds", "operator": "equals", "value": 1 }',
    '/context_field Nothing sets "rounds" in the context of flow: neither its context, nor its rules, nor these cases. Did you mean "round"?',
  ],
])('in a case of %s, %s', async (owner, entry, expected) => {
  expect(await found(tone, judges, flow, caseOf(owner, entry))).toEqual([`/expect/0${expected}`]);
});

test('what is there is not reported', async () => {
  const ofTone = ['{ "output_field": "note", "operator": "exists" }', '{ "judge": "Fair", "output_field": "why", "operator": "exists" }'];
  const ofFlow = [
    '{ "task": "draft", "output_field": "tone", "operator": "exists" }',
    '{ "context_field": "title", "operator": "exists" }',
    '{ "context_field": "reason", "operator": "exists" }',
    '{ "output_field": "context.round", "operator": "exists" }',
    '{ "route": true, "operator": "equals", "value": ["write", "review"] }',
  ];
  expect(await found(tone, judges, flow, caseOf('Tone', ofTone.join()), caseOf('flow', ofFlow.join()))).toEqual([]);
});

test('tools are those that the agent chooses, and any while a server has not been listed', async () => {
  const agent = (fields: string) =>
    `--- config/agents/Docs/v1.json\n{ "agent_name": "Docs", "version": "v1", "agent_type": "react", ${fields} }`;
  const called = caseOf(
    'Docs',
    '{ "tool": "search_files", "operator": "equals", "value": 1 }, { "tool": "read_flie", "operator": "equals", "value": 1 }',
  );
  expect(await found(agent('"enabled_tools": ["search_files", "read_file"]'), called)).toEqual([
    '/expect/1/tool Docs@v1 has no tool "read_flie". Did you mean "read_file"?',
  ]);
  expect(await found(agent('"client_ids": ["web"]'), '--- config/mcp.json\n{ "servers": { "web": { "command": "x" } } }', called)).toEqual(
    [],
  );
});

test('tools in order and arguments are those of the agent', async () => {
  const agent =
    '--- config/agents/Docs/v1.json\n{ "agent_name": "Docs", "version": "v1", "agent_type": "react", "enabled_tools": ["search_files", "read_file"] }';
  const argument = (path: string) =>
    `{ "tool": "read_file", "arguments": [{ "not": { "output_field": "${path}", "operator": "exists" } }] }`;
  const called = [argument('path'), argument('pat'), argument('path.x'), '{ "tools_in_order": ["search_files", "read_flie"] }'];
  expect(await found(agent, caseOf('Docs', called.join()))).toEqual([
    '/expect/1/arguments/0/not/output_field A call of "read_file" has no argument "pat". Did you mean "path"?',
    '/expect/3/tools_in_order/1 Docs@v1 has no tool "read_flie". Did you mean "read_file"?',
  ]);
});

test('tools of an orchestration are those of its tasks, and any while those of one task are unknown', async () => {
  const agent = (name: string, fields: string) =>
    `--- config/agents/${name}/v1.json\n{ "agent_name": "${name}", "version": "v1", ${fields} }`;
  const tasks = (...names: readonly string[]) =>
    `--- config/orchestrations/flow.json\n{ "entry_team": "one", "teams": { "one": { "tasks": [${names
      .map((name) => `{ "name": "${name}", "agent": "${name}", "config": { ${name === 'Reads' ? '"enabled_tools": ["read_file"]' : ''} } }`)
      .join()}] } } }`;
  const agents = [
    agent('Docs', '"agent_type": "react", "enabled_tools": ["search_files"]'),
    agent('Reads', '"agent_type": "react"'),
    agent('Plans', '"agent_type": "orchestrating", "execution_plan": { "steps": [{ "name": "a", "agent": "Docs" }] }'),
  ];
  const called = caseOf(
    'flow',
    '{ "tool": "search_files", "operator": "equals", "value": 1 }, { "tool": "read_file", "arguments": [{ "output_field": "pat", "operator": "exists" }] }, { "tools_in_order": ["read_flie"] }',
  );
  expect(await found(...agents, tasks('Docs', 'Reads'), called)).toEqual([
    '/expect/1/arguments/0/output_field A call of "read_file" has no argument "pat". Did you mean "path"?',
    '/expect/2/tools_in_order/0 flow has no tool "read_flie". Did you mean "read_file"?',
  ]);
  expect(await found(...agents, tasks('Docs', 'Plans'), called)).toEqual([]);
});

test('a payload without agent or orchestration has the finding about that alone', async () => {
  const findings = await findingsOf(`${tone}\n${caseOf('Gone', '{ "output_field": "tone", "operator": "exists" }')}`);
  expect(findings.filter(({ file }) => file.includes('Gone')).map(({ code }) => code)).toEqual(['unknown-agent']);
});
