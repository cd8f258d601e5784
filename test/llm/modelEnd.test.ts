import { expect, test } from 'vitest';
import { daysBetween, isDay } from '../../core/day.js';
import { modelDetail } from '../../core/llm/modelDetail.js';
import { endWords, followSuccessors, successorWords } from '../../core/llm/modelEnd.js';
import { createModelTable, providersWithKnownModels } from '../../core/llm/modelTable.js';

test.each([
  ['2026-12-11', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['tomorrow', false],
  ['', false],
  ['2026-12-11T00:00', false],
])('%j is a day: %j', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

test.each([
  ['2026-11-26', 'ends on 2026-12-11, in 15 days'],
  ['2026-12-10', 'ends on 2026-12-11, in 1 day'],
  ['2026-12-11', 'ends on 2026-12-11, today'],
  ['2026-12-12', 'ended on 2026-12-11, 1 day ago'],
  [undefined, 'ends on 2026-12-11'],
])('as of %j a model %s', (asOf, words) => {
  expect(endWords({ ends: '2026-12-11' }, asOf)).toBe(words);
});

test('a list of models has the tense of the day', () => {
  expect(['2026-12-11', '2026-12-12', undefined].map((asOf) => modelDetail({ ends: '2026-12-11' }, asOf))).toEqual([
    'ends on 2026-12-11',
    'ended on 2026-12-11',
    'ends on 2026-12-11',
  ]);
});

test('counts days across a change of the clocks and a leap day', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
  expect(daysBetween('2028-02-28', '2028-03-01')).toBe(2);
  expect(daysBetween('2026-12-11', '2026-11-27')).toBe(-14);
});

const ended = { ends: '2026-12-01' };

test.each([
  ['one that stays', { old: { ...ended, successor: 'new' }, new: {} }, ['new'], 'current', 'Its successor is "new".'],
  [
    'one that ends too',
    { old: { ...ended, successor: 'next' }, next: { ...ended, successor: 'new' }, new: {} },
    ['next', 'new'],
    'current',
    'Its successor "next" ends too and leads to "new".',
  ],
  [
    'one that nobody knows',
    { old: { ...ended, successor: 'new' } },
    ['new'],
    'unknown',
    'Its successor is "new", of which nothing is known.',
  ],
  [
    'a dead end',
    { old: { ...ended, successor: 'next' }, next: ended },
    ['next'],
    'none',
    'Its successor is "next", which ends without a successor.',
  ],
  ['nothing', { old: ended }, [], 'none', undefined],
  ['itself', { old: { ...ended, successor: 'old' } }, [], 'circle', 'It is named as its own successor.'],
  [
    'a circle',
    { old: { ...ended, successor: 'next' }, next: { ...ended, successor: 'last' }, last: { ...ended, successor: 'next' } },
    ['next', 'last'],
    'circle',
    'Its successors lead in a circle: "next" and "last".',
  ],
  [
    'a name that is in every object',
    { old: { ...ended, successor: 'constructor' } },
    ['constructor'],
    'unknown',
    expect.stringMatching(/nothing is known/),
  ],
] as const)('the successors of a model lead to %s', (_what, models, names, outcome, words) => {
  const chain = followSuccessors(createModelTable(models), 'old', 'openai_compatible');
  expect(chain).toEqual({ models: names, outcome });
  expect(successorWords(chain)).toEqual(words);
});

test('no successor in the table goes in a circle or is unknown', () => {
  const table = createModelTable();
  for (const provider of providersWithKnownModels) {
    for (const name of table.names(provider)) {
      if (table.find(name, provider)?.successor === undefined) continue;
      expect.soft(followSuccessors(table, name, provider).outcome, `${provider} ${name}`).toMatch(/^(current|none)$/);
    }
  }
});
