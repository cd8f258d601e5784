import { describe, expect, test } from 'vitest';
import { checkRule, findingsOf, sentencesOf } from '../support/checkRule.js';
import { caseOf, flow, judges, tone } from '../support/evalFixture.js';

const check = checkRule('expectation-impossible');

const found = (...sections: readonly string[]) => sentencesOf(sections.join('\n'), 'expectation-impossible');

test('the value, the operator and the one member of a list are marked, and expectations that contradict each other', () =>
  check(`${tone}
--- config/payloads/Tone/set.json
{
  "expect": [{ "output_field": "score", "operator": "less_than", "value": 3 }],
  "cases": [
    { "input": {}, "expect": [{ "output_field": "tone", "operator": "equals", "value": "formall" }] },
//                                                                                     ^^^^^^^^^ expectation-impossible "tone" of Tone@v1 never matches "formall". Did you mean "formal"?
    { "input": {}, "expect": [{ "output_field": "tone", "operator": "in", "value": ["formal", "rude"] }] },
//                                                                                            ^^^^^^ expectation-impossible "tone" of Tone@v1 never matches "rude". It is "formal" or "direct".
    { "input": {}, "expect": [{ "output_field": "tone", "operator": "greater_than", "value": 3 }] },
//                                                                  ^^^^^^^^^^^^^^ expectation-impossible greater_than never matches "tone" of Tone@v1, which is a text.
    { "input": {}, "expect": [{ "output_field": "score", "operator": "greater_than", "value": 5 }] },
//                                                                                            ^ expectation-impossible No run of Tone@v1 can meet this together with another expectation of the case.
    { "input": {}, "expect": [{ "output_field": "score", "operator": "equals", "value": 2 }] }
  ]
}`));

test('a case that expects nothing is no test; a turn may, and a case of a set that expects something of all', () =>
  check(`${tone}
--- config/payloads/Tone/one.json
{ "input": {}, "expect": [] }
//                       ^^ expectation-impossible This case expects nothing, so it can neither pass nor fail.
--- config/payloads/Tone/all.json
{ "expect": [{ "output_field": "score", "operator": "less_than", "value": 3 }], "cases": [{ "input": {}, "expect": [] }] }
--- config/payloads/Tone/set.json
{ "cases": [{ "input": {} }, { "input": {}, "expect": [] }] }
//                                                    ^^ expectation-impossible
--- config/payloads/Tone/talk.json
{ "turns": [{ "input": {}, "expect": [] }, { "input": {}, "expect": [{ "output_field": "score", "operator": "less_than", "value": 3 }] }] }`));

test('each turn of a conversation is judged by itself', () =>
  check(`--- config/agents/Tone/v2.json
${tone.slice(tone.indexOf('{')).replace('"v1"', '"v2", "include_history": true')}
--- config/payloads/Tone/talk.json
{
  "turns": [
    { "input": {}, "expect": [{ "output_field": "tone", "operator": "equals", "value": "formal" }] },
    { "input": {}, "expect": [{ "output_field": "tone", "operator": "equals", "value": "direct" }] },
    { "input": {}, "expect": [{ "output_field": "score", "operator": "less_than", "value": 3 }, { "output_field": "score", "operator": "equals", "value": 5 }] },
//                                                                                                                                                        ^ expectation-impossible No run of Tone@v2 can meet this together with another expectation of the case.
    { "input": {}, "expect": [{ "output_field": "tone", "operator": "in", "value": ["formal", "rude"] }] }
//                                                                                            ^^^^^^ expectation-impossible "tone" of Tone@v2 never matches "rude". It is "formal" or "direct".
  ]
}`));

test.each([
  ['Tone', '{ "output_field": "score", "operator": "equals", "value": 11 }', '/value "score" of Tone@v1 never matches 11.'],
  ['Tone', '{ "output_field": "score", "operator": "equals", "value": "3" }', '/value "score" of Tone@v1 never matches "3".'],
  ['Tone', '{ "output_field": "score", "operator": "greater_than", "value": 10 }', '/value "score" of Tone@v1 never matches 10.'],
  [
    'Tone',
    '{ "output_field": "score", "operator": "similar", "value": "3" }',
    '/operator similar never matches "score" of Tone@v1, which is a number.',
  ],
  [
    'Tone',
    '{ "output_field": "tone", "operator": "equals" }',
    ' equals compares with null or true or false or a number or a text or a list or an object: give one as value, which is missing here and in "expected".',
  ],
  ['Tone', '{ "output_field": "tags", "operator": "contains", "value": "c" }', '/value "tags" of Tone@v1 never matches "c".'],
  ['Tone', '{ "measure": "cost_usd", "operator": "less_than", "value": 0 }', '/value "cost_usd" never matches 0.'],
  ['Tone', '{ "measure": "confidence", "operator": "greater_than", "value": 1 }', '/value "confidence" never matches 1.'],
  ['Tone', '{ "measure": "steps", "operator": "equals", "value": 1.5 }', '/value "steps" never matches 1.5.'],
  ['Tone', '{ "text": true, "operator": "equals", "value": 3 }', '/value The text of Tone@v1 never matches 3.'],
  [
    'Tone',
    '{ "judge": "Fair", "output_field": "verdict", "operator": "equals", "value": "godo" }',
    '/value "verdict" of the judge "Fair" never matches "godo". Did you mean "good"?',
  ],
  [
    'Tone',
    '[{ "status": "failure" }, { "output_field": "tone", "operator": "exists" }]',
    ' No run of Tone@v1 can meet this expectation: it contradicts itself or the output schema.',
  ],
  [
    'Tone',
    '{ "not": { "any": [{ "status": "failure" }, { "status": "success" }] } }',
    '/not No run of Tone@v1 can meet this expectation: it contradicts itself or the output schema.',
  ],
  [
    'flow',
    '{ "task": "check", "output_field": "verdict", "operator": "equals", "value": "ok" }',
    '/value "verdict" of the task "check" never matches "ok". It is "good" or "bad".',
  ],
  [
    'flow',
    '{ "route": true, "operator": "equals", "value": ["review", "write"] }',
    '/value/0 Every run of flow begins with "write", not with "review".',
  ],
  [
    'flow',
    '{ "route": true, "operator": "equals", "value": ["write", "review", "review"] }',
    '/value/2 In flow no rule leads from "review" to "review".',
  ],
])('in a case of %s, %s', async (owner, entry, expected) => {
  const [message, ...others] = await found(tone, judges, flow, caseOf(owner, entry));
  expect(message?.startsWith(`/expect/0${expected}`), message).toBe(true);
  expect(others).toEqual([]);
});

test.each([
  ['"tone" twice', ['equals tone formal', 'equals tone direct'], 1],
  ['a success without its fields', ['status success', 'not exists tone'], 1],
  ['a judge of an answer that fails', ['status failure', 'judge good'], 1],
  ['bounds', ['greater_than score 3', 'not_equals tone formal', 'less_than score 4'], 2],
])('contradictions are told at the last of them: %s', async (_title, words, last) => {
  const entries = words.map((text) => {
    const [operator = '', field = '', value = ''] = text.split(' ');
    if (operator === 'status') return `{ "status": "${field}" }`;
    if (operator === 'judge') return `{ "judge": "Fair", "output_field": "verdict", "operator": "equals", "value": "${field}" }`;
    if (operator === 'not') return `{ "not": { "output_field": "${value}", "operator": "${field}" } }`;
    return `{ "output_field": "${field}", "operator": "${operator}", "value": ${/^\d/.test(value) ? value : `"${value}"`} }`;
  });
  const findings = await found(tone, judges, caseOf('Tone', entries.join()));
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatch(new RegExp(`^/expect/${last}/(?:value|not) No run of Tone@v1 can meet this together with another`));
});

test('what a run can meet is not reported', async () => {
  const entries = [
    '{ "any": [{ "output_field": "tone", "operator": "equals", "value": "formal" }, { "output_field": "score", "operator": "equals", "value": 1 }] }',
    '{ "output_field": "note", "operator": "similar", "value": "A word", "threshold": 0.9 }',
    '{ "output_field": "note", "operator": "matches", "value": "^A" }',
    '{ "output_field": "score", "operator": "equals" }',
    '{ "judge": "Fair", "output_field": "verdict", "operator": "not_equals", "value": "bad" }',
    '{ "measure": "cost_usd", "operator": "less_than", "value": 0.01 }',
  ];
  expect(await found(tone, judges, caseOf('Tone', entries.join(), ', "expected": { "score": 3 }'))).toEqual([]);
});

test('an expectation without value is judged by the example, in its place', async () => {
  const entry = '{ "output_field": "tone", "operator": "equals" }';
  const message = '"tone" of Tone@v1 never matches "rude". It is "formal" or "direct".';
  expect(await found(tone, caseOf('Tone', entry, ', "expected": { "tone": "rude" }'))).toEqual([`/expected/tone ${message}`]);
  const set = `--- config/payloads/Tone/set.json
{ "expect": [${entry}], "expected": { "tone": "formal" }, "cases": [{ "input": {} }, { "input": {}, "expected": { "tone": "rude" } }] }`;
  expect(await found(tone, set)).toEqual([`/cases/1/expected/tone ${message}`]);
});

test('an example answer is judged as a whole, whatever is expected of it', () =>
  check(`${tone}
--- config/payloads/Tone/set.json
{
  "expected": { "score": 11 },
//                       ^^ expectation-impossible Tone@v1 never answers this: expected.score must be at most 10, not 11.
  "cases": [
    { "input": {}, "expected": { "tone": "formall", "tags": ["a", "c"] } },
//                                       ^^^^^^^^^ expectation-impossible Tone@v1 never answers this: expected.tone is "formall", but must be "formal" or "direct". Did you mean "formal"?
//                                                                ^^^ expectation-impossible Tone@v1 never answers this: expected.tags[1] is "c", but must be "a" or "b".
    { "input": {}, "expected": ["formal"] }
//                             ^^^^^^^^^^ expectation-impossible Tone@v1 never answers this: expected must be an object.
  ]
}`));

test('an example answer may be part of one, or a text, and what an expectation compares with is told of once', async () => {
  const set = `--- config/payloads/Tone/set.json
{ "cases": [
  { "input": {}, "expected": { "score": 3 } }, { "input": {}, "expected": "Something formal" }, { "input": {}, "expected": { "other": 1 } },
  { "input": {}, "expected": { "tone": "rude" }, "expect": [{ "output_field": "tone", "operator": "equals" }] }
] }`;
  expect((await found(tone, set)).map((text) => text.split(' ', 1)[0])).toEqual(['/cases/3/expected/tone']);
});

test.each([
  [
    '"anyOf": [{ "type": "null" }, { "type": "object", "required": ["a", "b"], "properties": { "a": { "type": "integer" } } }]',
    '{ "a": "x" }',
    [],
  ],
  ['"anyOf": [{ "type": "null" }, { "type": "string", "enum": ["x"] }]', '"y"', ['/expected/one']],
  [
    '"type": "object", "minProperties": 2, "required": ["b"], "properties": { "a": { "type": "integer" } }',
    '{ "a": "x" }',
    ['/expected/one/a'],
  ],
  ['"$ref": "#/definitions/short"', '"long"', ['/expected/one']],
])('of a field with the schema { %s }, %s in an example is told of only where it is certain', async (schema, value, places) => {
  const agent = `--- config/agents/Tone/v1.json
{ "agent_name": "Tone", "version": "v1", "output_schema": {
  "type": "object", "definitions": { "short": { "type": "string", "maxLength": 3 } }, "properties": { "one": { ${schema} } }
} }`;
  const case_ = `--- config/payloads/Tone/one.json\n{ "input": {}, "expected": { "one": ${value} } }`;
  expect((await found(agent, case_)).map((text) => text.split(' ', 1)[0])).toEqual(places);
});

test('an example answer that no run gives fails nothing, so it is a warning', async () => {
  const findings = await findingsOf(`${tone}\n${caseOf('Tone', '', ', "expected": { "tone": "rude", "tome": "formal" }')}`, [
    'expectation-impossible',
    'expectation-unknown',
  ]);
  expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
    'warning expectation-impossible',
    'warning expectation-unknown',
  ]);
});

test('what holds for all cases is told once', async () => {
  const set = `--- config/payloads/Tone/set.json
{ "expect": [{ "output_field": "tone", "operator": "equals", "value": "rude" }, { "status": "failure" }, { "output_field": "score", "operator": "exists" }],
  "cases": [{ "input": {} }, { "input": { "a": 1 } }] }`;
  expect((await found(tone, set)).map((text) => text.split(' ', 1)[0])).toEqual(['/expect/0/value', '/expect/2/operator']);
});

describe('expectations of calls', () => {
  const agent = `--- config/agents/Docs/v1.json
{ "agent_name": "Docs", "version": "v1", "agent_type": "react", "enabled_tools": ["search_files", "read_file"] }`;
  const called = (conditions: string, more = '') => `{ "tool": "read_file", "arguments": [${conditions}]${more} }`;
  const line = (operator: string, value: string) => `{ "output_field": "from_line", "operator": "${operator}", "value": ${value} }`;
  const never = '{ "tool": "read_file", "operator": "equals", "value": 0 }';
  const none = ', "operator": "equals", "value": 0';
  const alone = 'No run of Docs@v1 can meet this expectation: it contradicts itself or the output schema.';
  const together = 'No run of Docs@v1 can meet this together with another expectation of the case.';

  test.each([
    [called(`${line('less_than', '3')}, ${line('greater_than', '5')}`), `/expect/0/arguments ${alone}`],
    [called(line('less_than', '"3"')), '/expect/0/arguments/0/value less_than compares with a number: give one as value, not "3".'],
    [called(line('less_than', '3'), ', "operator": "less_than", "value": 0'), '/expect/0/value The number of calls'],
    [`${called(line('less_than', '3'))}, ${never}`, `/expect/1/value ${together}`],
    [`${called(line('less_than', '3'))}, { "not": ${called(line('less_than', '3'))} }`, `/expect/1/not ${together}`],
    [`{ "tools_in_order": ["read_file", "search_files"] }, ${never}`, `/expect/1/value ${together}`],
    [`[{ "tools_in_order": ["read_file"] }, { "not": { "tools_in_order": ["read_file"] } }]`, `/expect/0 ${alone}`],
  ])('%s', async (expectations, sentence) => {
    expect(await found(agent, caseOf('Docs', expectations))).toEqual([expect.stringContaining(sentence)]);
  });

  test.each([
    `${called(line('less_than', '3'))}, ${called(line('greater_than', '5'))}`,
    // A call that the tool refuses is a call too.
    called(line('less_than', '-1')),
    called('{ "output_field": "path", "operator": "less_than", "value": 1 }'),
    `${called(line('less_than', '3'), none)}, ${called(line('greater_than', '5'))}`,
    `{ "not": ${called('{ "output_field": "path", "operator": "exists" }')} }`,
    `{ "tools_in_order": ["read_file", "search_files"] }, { "tools_in_order": ["search_files", "read_file"] }`,
    `{ "not": { "tools_in_order": ["read_file", "search_files"] } }, ${never}`,
    `${called(`${line('less_than', '3')}, ${line('greater_than', '5')}`, none)}`,
  ])('%s is possible', async (expectations) => {
    expect(await found(agent, caseOf('Docs', expectations))).toEqual([]);
  });
});

describe('what schemas say of steps, patterns and places in lists', () => {
  const agent = `--- config/agents/Grid/v1.json
{ "agent_name": "Grid", "version": "v1", "max_iterations": 4, "output_schema": {
  "type": "object", "additionalProperties": false, "required": ["step", "cents", "ticket", "tags", "rows"],
  "properties": {
    "step": { "type": "integer", "multipleOf": 5 },
    "cents": { "type": "number", "multipleOf": 0.01 },
    "ticket": { "type": "string", "pattern": "^INC-[0-9]+$" },
    "tags": { "type": "array", "minItems": 1, "maxItems": 3, "items": { "enum": ["a", "b"] } },
    "rows": { "type": "array", "items": { "type": "object", "additionalProperties": false, "properties": { "style": { "type": "integer", "maximum": 9 } } } }
  } } }`;
  const of = (field: string, operator: string, value?: unknown) =>
    JSON.stringify({ output_field: field, operator, ...(value !== undefined && { value }) });
  const calls = (operator: string, value: number) => JSON.stringify({ measure: 'model_calls', operator, value });
  const together = 'No run of Grid@v1 can meet this together with another expectation of the case.';

  test.each([
    [`${of('step', 'greater_than', 5)}, ${of('step', 'less_than', 10)}`, together],
    [of('step', 'equals', 7), '"step" of Grid@v1 never matches 7.'],
    [`${of('cents', 'greater_than', 0.28)}, ${of('cents', 'less_than', 0.29)}`, together],
    [of('ticket', 'matches', '^BUG-'), '"ticket" of Grid@v1 never matches "^BUG-".'],
    [of('ticket', 'matches', '^INC-[a-z]+$'), '"ticket" of Grid@v1 never matches "^INC-[a-z]+$".'],
    [`{ "not": ${of('ticket', 'matches', '^INC')} }`, 'No run of Grid@v1 can meet this expectation'],
    [`${of('ticket', 'matches', '^INC-1')}, ${of('ticket', 'matches', '^INC-2')}`, together],
    [of('tags.0', 'equals', 'c'), '"tags.0" of Grid@v1 never matches "c". Did you mean "a" or "b"?'],
    [`${of('tags.0', 'equals', 'a')}, ${of('tags.0', 'equals', 'b')}`, together],
    [of('tags.3', 'exists'), 'No run of Grid@v1 can meet this expectation'],
    [of('tags.0', 'is_empty'), 'No run of Grid@v1 can meet this expectation'],
    [of('rows.7.style', 'greater_than', 9), '"rows.7.style" of Grid@v1 never matches 9.'],
    [calls('greater_than', 1), '"model_calls" never matches 1.'],
  ])('%s', async (expectations, sentence) => {
    expect(await found(agent, caseOf('Grid', expectations))).toEqual([expect.stringContaining(sentence)]);
  });

  test.each([
    `${of('step', 'greater_than', 5)}, ${of('step', 'less_than', 11)}`,
    `${of('cents', 'greater_than', 0.28)}, ${of('cents', 'less_than', 0.3)}`,
    of('ticket', 'matches', '^INC-[0-9]{3}$'),
    of('ticket', 'matches', '^(BUG|INC)-'),
    of('ticket', 'matches', 'X?INC'),
    `{ "not": ${of('ticket', 'matches', '^INC-1')} }`,
    `${of('tags.0', 'equals', 'a')}, ${of('tags.1', 'equals', 'b')}`,
    of('tags.1', 'is_empty'),
    of('rows.7.style', 'greater_than', 8),
    calls('equals', 1),
  ])('%s is possible', async (expectations) => {
    expect(await found(agent, caseOf('Grid', expectations))).toEqual([]);
  });

  test.each([
    ['"agent_type": "react", "max_iterations": 4', 4],
    ['"retry_invalid": 2', 3],
  ])('an agent with %s makes at most %i calls', async (fields, most) => {
    const loop = `--- config/agents/Grid/v1.json\n{ "agent_name": "Grid", "version": "v1", ${fields} }`;
    expect(await found(loop, caseOf('Grid', calls('equals', most)))).toEqual([]);
    expect(await found(loop, caseOf('Grid', calls('greater_than', most)))).toEqual([
      `/expect/0/value "model_calls" never matches ${most}.`,
    ]);
  });
});

test('a value beside others that may be met is a warning, and the rest goes on', async () => {
  const severities = async (expectation: string) =>
    (await findingsOf(`${tone}\n${caseOf('Tone', expectation)}`)).flatMap(({ code, severity }) =>
      code === 'expectation-impossible' ? severity : [],
    );
  const rude = '{ "output_field": "tone", "operator": "equals", "value": "rude" }';
  const formal = '{ "output_field": "tone", "operator": "equals", "value": "formal" }';
  expect(await severities('{ "output_field": "tone", "operator": "in", "value": ["formal", "rude"] }')).toEqual(['warning']);
  expect(await severities(`{ "any": [${formal}, ${rude}] }`)).toEqual(['warning']);
  expect(await severities('{ "output_field": "tone", "operator": "in", "value": ["blunt", "rude"] }')).toEqual(['error', 'error']);
  expect(await severities(`{ "any": [${rude}] }`)).toEqual(['error']);
  // It always holds, so it tests nothing.
  expect(await severities(`{ "not": { "any": [${formal}, ${rude}] } }`)).toEqual(['error']);
});
