import { describe, expect, test } from 'vitest';
import { detectableDrop, repeatsToShow } from '../../../core/eval/statistics/detectable.js';
import { randomOf } from '../../../core/eval/statistics/random.js';
import { runs } from '../../support/effort.js';
import { comparePairs } from './simulate.js';

const simulations = runs(500, 2_000);

describe('simulated comparisons', () => {
  test.each([
    { cases: 12, repeats: 1, rate: 0.8 },
    { cases: 30, repeats: 1, rate: 0.9 },
    { cases: 8, repeats: 5, rate: 0.7 },
    { cases: 30, repeats: 3, rate: 0.85 },
    { cases: 60, repeats: 5, rate: 0.5 },
  ])('of $cases cases with $repeats repeats at $rate: without a difference at most 5 % see one', (suite) => {
    const random = randomOf(7);
    let seen = 0;
    for (let index = 0; index < 2000; index++) if (comparePairs({ ...suite, drop: 0 }, random) !== 'no difference seen') seen++;
    expect(seen / 2000).toBeLessThanOrEqual(0.05);
  });

  test.each([
    { cases: 30, repeats: 1, rate: 0.9, questions: 1 },
    { cases: 30, repeats: 3, rate: 0.85, questions: 1 },
    { cases: 60, repeats: 5, rate: 0.7, questions: 1 },
    // As a report asks it: beside cost and latency.
    { cases: 30, repeats: 3, rate: 0.85, questions: 3 },
  ])('of $cases cases with $repeats repeats at $rate, $questions questions: a drop called detectable is found by 80 %', (suite) => {
    const counts = Array.from({ length: suite.cases }, (_, index) => ({
      passes:
        Math.round(((index + 1) * suite.rate * suite.repeats * suite.cases) / suite.cases) - Math.round(index * suite.rate * suite.repeats),
      repeats: suite.repeats,
    })).map(({ passes, repeats }) => ({ passes: Math.max(0, Math.min(repeats, passes)), repeats }));
    const drop = detectableDrop(counts, suite.questions);
    expect(drop).toBeDefined();
    const random = randomOf(11);
    let found = 0;
    for (let index = 0; index < simulations; index++) if (comparePairs({ ...suite, drop: drop! }, random) === 'worse') found++;
    expect(found / simulations).toBeGreaterThanOrEqual(0.8);
  });
});

test('a number of repeats that a file gives decides no time', () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ passes: 7000 + (index % 3) * 1000, repeats: 9999 }));
  expect(detectableDrop(many, 3)).toBeGreaterThan(0);
});

test('five cases can show no drop, whatever happens', () => {
  expect(detectableDrop(Array.from({ length: 5 }, () => ({ passes: 1, repeats: 1 })))).toBeUndefined();
});

test('with the repeats that are proposed, 80 % find the difference', () => {
  const suite = { cases: 40, repeats: 2, rate: 0.7, drop: 0.15, questions: 3 };
  const few = Array.from({ length: suite.cases }, (_, index) => ({ passes: Math.round((index * 1.4) % 2), repeats: 2 }));
  const repeats = repeatsToShow(suite.drop, few, suite.questions);
  expect(repeats).toBeDefined();
  const random = randomOf(13);
  let found = 0;
  for (let index = 0; index < simulations; index++) if (comparePairs({ ...suite, repeats: repeats! }, random) === 'worse') found++;
  expect(found / simulations).toBeGreaterThanOrEqual(0.8);
});

test('more repeats show what few do not', () => {
  const few = Array.from({ length: 40 }, (_, index) => ({ passes: index % 3, repeats: 2 }));
  const needed = repeatsToShow(0.15, few);
  expect(needed).toBeGreaterThan(2);
  expect(repeatsToShow(0.0001, few)).toBeUndefined();
});
