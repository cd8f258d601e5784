import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bootstrapInterval, compareMeasures, compareRates, holm, verdictOf } from '../../../core/eval/statistics/comparePaired.js';
import { attemptsOf, passAtK, passHatK, suiteRate, wilsonInterval } from '../../../core/eval/statistics/rates.js';
import { normalTail, sampledSignFlipTest, signFlipTest } from '../../../core/eval/statistics/signFlipTest.js';

describe('the Wilson interval', () => {
  // Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i, as published', (passes, trials, low, high) => {
    const interval = wilsonInterval(passes, trials);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test('holds the rate, and mirrors', () => {
    const counts = fc.integer({ min: 1, max: 500 }).chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(counts, ([c, n]) => {
        const { low, high } = wilsonInterval(c, n);
        const mirrored = wilsonInterval(n - c, n);
        expect(low).toBeLessThanOrEqual(c / n);
        expect(high).toBeGreaterThanOrEqual(c / n);
        expect(mirrored.low).toBeCloseTo(1 - high, 12);
      }),
    );
  });

  test.each([
    [2, 1],
    [0, 0],
    [0.5, 2],
    [-1, 2],
  ])('refuses %d of %d', (passes, trials) => expect(() => wilsonInterval(passes, trials)).toThrow(RangeError));
});

describe('pass@k and pass^k', () => {
  test('are what all draws of k attempts give', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : n < k ? 0 : choose(n - 1, k - 1) + choose(n - 1, k));
    for (let n = 1; n <= 9; n++) {
      for (let c = 0; c <= n; c++) {
        for (let k = 1; k <= n; k++) {
          expect(passAtK(c, n, k)).toBeCloseTo(1 - choose(n - c, k) / choose(n, k), 12);
          expect(passHatK(c, n, k)).toBeCloseTo(choose(c, k) / choose(n, k), 12);
        }
      }
    }
  });

  test('count every choice of k of the runs', () => {
    const choices = (runs: readonly boolean[], k: number): boolean[][] =>
      k === 0 ? [[]] : runs.flatMap((run, index) => choices(runs.slice(index + 1), k - 1).map((rest) => [run, ...rest]));
    for (const [passes, trials, k] of [
      [2, 6, 2],
      [2, 6, 3],
      [5, 7, 3],
    ] as const) {
      const all = choices(
        Array.from({ length: trials }, (_, index) => index < passes),
        k,
      );
      expect(passAtK(passes, trials, k)).toBeCloseTo(all.filter((runs) => runs.includes(true)).length / all.length, 12);
      expect(passHatK(passes, trials, k)).toBeCloseTo(all.filter((runs) => !runs.includes(false)).length / all.length, 12);
    }
  });

  test('of a suite are means over the cases that were repeated, for the attempts that all of them had', () => {
    const cases = [
      { passes: 3, repeats: 5 },
      { passes: 3, repeats: 3 },
      { passes: 0, repeats: 1 },
    ];
    // 1 - C(2,3)/C(5,3) = 1 and C(3,3)/C(5,3) = 0.1 of the first, 1 and 1 of the second.
    expect(attemptsOf(cases)).toEqual({ k: 3, cases: 2, pass_at_k: 1, pass_hat_k: expect.closeTo(0.55, 12) });
    expect(attemptsOf([{ passes: 1, repeats: 1 }])).toBeUndefined();
  });

  test('do not overflow', () => expect(passAtK(1, 100_000, 50_000)).toBeCloseTo(0.5, 6));
  test('refuse more attempts than there were', () => expect(() => passAtK(1, 2, 3)).toThrow('3 attempts cannot be drawn from 2.'));
});

describe('the pass rate of a suite', () => {
  test('has a standard error clustered by case', () => {
    // Two cases of three repeats that agree within the case: two observations, not six. (1/n²) Σ (Σ residuals)² G/(G-1) = 2 · 4.5 / 36.
    const { rate, standard_error } = suiteRate([
      { passes: 3, repeats: 3 },
      { passes: 0, repeats: 3 },
    ]);
    expect(rate).toBe(0.5);
    expect(standard_error).toBeCloseTo(Math.sqrt(0.25), 12);
  });

  // By NumPy, from the residuals of y ~ 1 summed by case, with G / (G - 1).
  test.each([
    [
      [
        [4, 5],
        [2, 3],
        [1, 2],
        [7, 10],
      ],
      0.7,
      0.03741657386773942,
    ],
    [
      [
        [3, 5],
        [5, 5],
        [2, 5],
        [4, 5],
        [0, 5],
      ],
      0.56,
      0.17204650534085253,
    ],
  ])('of %j agrees with another implementation', (counts, rate, error) => {
    const found = suiteRate(counts.map(([passes, repeats]) => ({ passes: passes!, repeats: repeats! })));
    expect(found.rate).toBeCloseTo(rate, 12);
    expect(found.standard_error).toBeCloseTo(error, 12);
  });

  test('with one repeat a case is that of independent trials', () => {
    const cases = [1, 1, 1, 0, 1, 0, 1, 1].map((passes) => ({ passes, repeats: 1 }));
    // The usual standard error of a mean, with n - 1.
    expect(suiteRate(cases).standard_error).toBeCloseTo(Math.sqrt((0.75 * 0.25) / 7), 12);
  });

  test('counts the cases, not the repeats, where all is alike', () => {
    const cases = Array.from({ length: 10 }, () => ({ passes: 50, repeats: 50 }));
    expect(suiteRate(cases).interval).toEqual(wilsonInterval(10, 10));
  });
});

describe('the paired test', () => {
  /** The exact test of McNemar: binomial with one half, two-sided. */
  const mcnemar = (b: number, c: number): number => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    let tail = 0;
    for (let k = 0; k <= Math.min(b, c); k++) tail += choose(b + c, k) / 2 ** (b + c);
    return Math.min(1, 2 * tail);
  };
  const ofCounts = (b: number, c: number) => [...Array<number>(b).fill(1), ...Array<number>(c).fill(-1), 0, 0, 0];

  test('of one repeat a case is the exact test of McNemar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }), (b, c) => {
        expect(signFlipTest(ofCounts(b, c))).toBeCloseTo(mcnemar(b, c), 10);
      }),
    );
  });

  // R: mcnemar.exact of the package exact2x2 and binom.test(c(9, 2)); binom.test(c(1, 9)).
  test.each([
    [9, 2, 0.06542969],
    [1, 9, 0.02148438],
    [6, 0, 0.03125],
    [5, 0, 0.0625],
    // Agresti (1990), "Categorical data analysis", page 350: approval of the prime minister, 150 against 86. The p-value by SciPy.
    [150, 86, 3.7159361395713866e-5],
  ])('of %i against %i, as R and SciPy say', (b, c, p) => expect(signFlipTest(ofCounts(b, c)) / p).toBeCloseTo(1, 5));

  test("of Darwin's maize says what Fisher counted: 1,726 of 32,768 ways", () => {
    // Fisher (1935), "The design of experiments", section 21.
    const differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
    expect(signFlipTest(differences)).toBeCloseTo(1726 / 32_768, 12);
    expect(sampledSignFlipTest(differences)).toBeCloseTo(1726 / 32_768, 12);
  });

  test('of five cases with different numbers of repeats never sees a difference', () => {
    const pairs = [97, 89, 83, 79, 73].map((repeats) => ({ before: { passes: 0, repeats }, after: { passes: repeats, repeats } }));
    expect(compareRates(pairs).p_value).toBe(0.0625);
  });

  test('counts all ways to swap the versions', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 10 }), (differences) => {
        const observed = Math.abs(differences.reduce((a, b) => a + b, 0));
        let asFar = 0;
        for (let signs = 0; signs < 2 ** differences.length; signs++) {
          const sum = differences.reduce((total, difference, index) => total + ((signs >> index) & 1 ? difference : -difference), 0);
          if (Math.abs(sum) >= observed) asFar++;
        }
        expect(signFlipTest(differences)).toBeCloseTo(asFar / 2 ** differences.length, 10);
      }),
    );
  });

  test('of many differences agrees with the normal distribution', () => {
    const differences = Array.from({ length: 400 }, (_, index) => (index % 10 === 0 ? -3 : (index % 3) - 1));
    const sum = differences.reduce((a, b) => a + b, 0);
    const z = sum / Math.sqrt(differences.reduce((squares, difference) => squares + difference ** 2, 0));
    expect(Math.abs(signFlipTest(differences) - normalTail(z))).toBeLessThan(0.005);
    expect(normalTail(1.959963984540054)).toBeCloseTo(0.05, 6);
    expect(normalTail(0)).toBeCloseTo(1, 6);
  });

  test('of measures is about the same', () => {
    const differences = ofCounts(9, 2);
    expect(Math.abs(sampledSignFlipTest(differences) - 0.0654)).toBeLessThan(0.01);
    expect(sampledSignFlipTest([0, 0])).toBe(1);
  });
});

test('Holm adjusts as R does: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")', () => {
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(6)))).toEqual([0.03, 0.06, 0.06, 0.02]);
});

test('the bootstrap says the same each time, and holds the mean', () => {
  const differences = [0.2, -0.1, 0.4, 0, 0, 0.3, 0.1, -0.2];
  const interval = bootstrapInterval(differences);
  expect(bootstrapInterval(differences)).toEqual(interval);
  expect(interval.low).toBeLessThan(0.0875);
  expect(interval.high).toBeGreaterThan(0.0875);
  expect(bootstrapInterval([0.5])).toEqual({ low: 0.5, high: 0.5 });
});

test('a measure that is lower in every case is better where less is better', () => {
  const pairs = Array.from({ length: 12 }, (_, index) => ({ before: 0.004 + index / 10_000, after: 0.003 }));
  const difference = compareMeasures(pairs);
  expect(difference.p_value).toBeLessThan(0.01);
  expect(verdictOf(difference, difference.p_value, 'worse')).toBe('better');
  expect(verdictOf(difference, 0.2, 'worse')).toBe('no difference seen');
});
