import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { tone } from '../support/evalFixture.js';

const check = checkRule('case-duplicate');

test('the second case of a name is marked, also where the first has it by its number', () =>
  check(`${tone}
--- config/payloads/Tone/set.json
{
  "cases": [
    { "name": "2", "input": { "a": 1 } },
//            ^^^ related
    { "input": { "a": 2 } },
//  ^^^^^^^^^^^^^^^^^^^^^^^ case-duplicate This case has no name, and another is called by its number, "2".
    { "name": "x", "input": { "a": 3 } },
//            ^^^ related The first case "x" is here.
    { "name": "x", "input": { "a": 4 } },
//            ^^^ case-duplicate Another case is called "x", so neither can be chosen by its name.
    { "name": "X", "input": { "a": 5 } }
  ]
}`));

const set = (first: string, second: string) => `${tone}
--- config/payloads/Tone/set.json
{ "cases": [{ "name": "one", "input": { "a": 1, "b": 2 }, ${first} }, { "name": "two", "input": { "b": 2, "a": 1 }, ${second} }] }`;
const equals = (value: string) => `"expect": [{ "output_field": "tone", "operator": "equals", "value": "${value}" }]`;

test('two cases of one input must not contradict each other', async () => {
  const findings = await findingsOf(set(equals('formal'), equals('direct')), ['case-duplicate']);
  expect(findings.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    '/cases/1/input The case "one" has the same input, and no answer meets what both expect. Change or remove one of them.',
  ]);
});

test.each([
  ['the same expectations', equals('formal'), equals('formal')],
  ['half of the runs each', `${equals('formal')}, "pass_rate": 0.5`, `${equals('direct')}, "pass_rate": 0.5`],
  ['one that no run meets by itself', equals('rude'), equals('direct')],
])('two cases of one input are fine with %s', async (_title, first, second) => {
  expect(await findingsOf(set(first, second), ['case-duplicate'])).toEqual([]);
});

test('free names are proposed, each once', async () => {
  const text = `${tone}\n--- config/payloads/Tone/set.json\n{ "cases": [${['x', 'x', 'x_2', 'x'].map((name, index) => `{ "name": "${name}", "input": { "i": ${index} } }`).join()}] }`;
  const findings = await findingsOf(text, ['case-duplicate']);
  expect(findings.map(({ data }) => data?.replacement)).toEqual(['x_3', 'x_4']);
});
