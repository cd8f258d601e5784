import { expect, test } from 'vitest';
import { sentencesOf } from '../support/checkRule.js';
import { caseOf, flow, judges, tone } from '../support/evalFixture.js';

const judged = (judge: string, field = 'verdict', operator = 'equals') =>
  `{ "judge": "${judge}", "output_field": "${field}", "operator": "${operator}", "value": "good" }`;

test('of a turn is given the conversation before it', async () => {
  const strict = `--- config/agents/Strict/v1.json
{ "agent_name": "Strict", "version": "v1", "mode": "Chooser", "input_keys": ["output", "conversation"],
  "output_schema": { "type": "object", "properties": { "verdict": { "type": "string", "enum": ["good", "bad"] } } }, "enums": { "verdict": ["good", "bad"] } }`;
  const of = async (payload: string) =>
    sentencesOf([tone, judges, strict, `--- config/payloads/Tone/one.json\n${payload}`].join('\n'), 'judge-unfit');
  const turns = `"turns": [{ "input": {}, "expect": [${judged('Strict')}] }, { "input": {}, "expect": [${judged('Greedy')}] }]`;
  expect(await of(`{ ${turns} }`)).toEqual([
    '/turns/1/expect/0/judge Greedy@v1 needs "outputs" and "context", which no judge gets: its input has "input", "output", "expected", "text" and "conversation".',
    '/turns/1/expect/0/judge Greedy@v1 refuses "text" and "conversation", which every judge gets. Add it to the properties of input_schema.',
  ]);
  expect(await of(`{ "input": {}, "expect": [${judged('Strict')}] }`)).toEqual([
    '/expect/0/judge Strict@v1 needs "conversation", which no judge gets: its input has "input", "output", "expected" and "text".',
  ]);
});

const found = (owner: string, entry: string) => sentencesOf([tone, judges, flow, caseOf(owner, entry)].join('\n'), 'judge-unfit');

test.each([
  ['Fair', judged('Fair@v1'), ['/judge Fair@v1 judges its own answers here, and is too lenient with them. Let another agent judge.']],
  [
    'Tone',
    judged('Mute'),
    ['/judge Mute@v1 answers with a text, and a judge has to give its verdict in a field. Give it an output_schema with an enum.'],
  ],
  [
    'Tone',
    judged('Greedy'),
    [
      '/judge Greedy@v1 needs "outputs" and "context", which no judge gets: its input has "input", "output", "expected" and "text".',
      '/judge Greedy@v1 refuses "text", which every judge gets. Add it to the properties of input_schema.',
    ],
  ],
  [
    'Tone',
    judged('Fair', 'why'),
    [
      '/output_field "why" of the judge "Fair" is any text, so nothing limits it to the expected values. Give the field an enum, and the agent "mode": "Chooser".',
    ],
  ],
  ['Tone', judged('Fair', 'why', 'contains'), []],
  ['Tone', judged('Fair'), []],
  ['flow', judged('Fair'), []],
])('in a case of %s, %s', async (owner, entry, expected) => {
  expect(await found(owner, entry)).toEqual(expected.map((text) => `/expect/0${text}`));
});
