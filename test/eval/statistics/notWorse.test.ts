import { describe, expect, test } from 'vitest';
import { casesToShow, isNotWorse, lowerBound } from '../../../core/eval/statistics/notWorse.js';
import { randomOf } from '../../../core/eval/statistics/random.js';
import { runs } from '../../support/effort.js';
import { drawDifferences } from './simulate.js';

const simulations = runs(4_000, 20_000);

describe('a new model that is exactly the margin worse', () => {
  test.each([
    { cases: 40, repeats: 1, rate: 1, margin: 0.1, how: 'breaks' },
    { cases: 200, repeats: 1, rate: 0.95, margin: 0.1, how: 'breaks' },
    { cases: 60, repeats: 1, rate: 0.9, margin: 0.1, how: 'fades' },
    { cases: 35, repeats: 5, rate: 1, margin: 0.1, how: 'breaks' },
    { cases: 60, repeats: 5, rate: 0.9, margin: 0.1, how: 'both' },
    { cases: 300, repeats: 10, rate: 0.8, margin: 0.1, how: 'breaks' },
    { cases: 300, repeats: 3, rate: 0.9, margin: 0.05, how: 'fades' },
    { cases: 20, repeats: 3, rate: 0.7, margin: 0.2, how: 'both' },
  ] as const)('$cases cases, $repeats repeats at $rate, $how: called not worse by at most 5 %', ({ margin, ...suite }) => {
    const random = randomOf(17);
    let wrong = 0;
    for (let index = 0; index < simulations; index++) if (isNotWorse(drawDifferences({ ...suite, drop: margin }, random), margin)) wrong++;
    expect(wrong / simulations).toBeLessThanOrEqual(0.05);
  });
});

test('a new model that is as good is called so, given enough cases', () => {
  const random = randomOf(19);
  let right = 0;
  for (let index = 0; index < 500; index++)
    if (isNotWorse(drawDifferences({ cases: 200, repeats: 3, rate: 0.9, drop: 0, how: 'fades' }, random), 0.1)) right++;
  expect(right / 500).toBeGreaterThanOrEqual(0.9);
});

test.each([
  // The rule of three would ask for 29 cases of 29 without a drop; betting on several sizes costs three more.
  [0, 0.1, 32],
  [1, 0.1, 70],
  [0, 0.05, 66],
  [0, 0.2, 15],
])('with %i broken cases and a margin of %d it takes %i cases', (broken, margin, needed) => {
  const differences = (cases: number) => Array.from({ length: cases }, (_, index) => (index < broken ? -1 : 0));
  expect(isNotWorse(differences(needed), margin)).toBe(true);
  expect(isNotWorse(differences(needed - 1), margin)).toBe(false);
  expect(casesToShow(differences(10), margin)).toBe(needed - 10);
});

test('the bound is the margin at which the statement begins to hold, whatever the order', () => {
  const differences = [0.2, 0, -0.4, ...Array<number>(60).fill(0), 1, -1];
  const low = lowerBound(differences);
  expect(low).toBeGreaterThan(-1);
  expect(low).toBeLessThan(0);
  expect(isNotWorse(differences, -low + 1e-6)).toBe(true);
  expect(isNotWorse(differences, -low - 1e-6)).toBe(false);
  expect(lowerBound(differences.toReversed())).toBeCloseTo(low);
});

test('no cases show nothing, and cases that all broke never do', () => {
  expect(isNotWorse([], 0.5)).toBe(false);
  expect(lowerBound([])).toBeCloseTo(-1);
  expect(lowerBound(Array<number>(50).fill(-1))).toBeLessThan(-0.9);
  expect(casesToShow(Array<number>(2000).fill(-1), 0.01)).toBeUndefined();
});
