import { randomOf } from './random.js';
import { type Counts, mean, rateOf } from './rates.js';
import { sampledSignFlipTest, signFlipTest } from './signFlipTest.js';

/** One case with two versions, models or builds. */
export interface Pair<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** A mean difference, after minus before. */
export interface Difference {
  /** Mean over the cases. */
  readonly difference: number;
  /** 95 %. */
  readonly interval: { readonly low: number; readonly high: number };
  /** Two-sided, not adjusted for other questions (`holm`). */
  readonly p_value: number;
}

export type Verdict = 'better' | 'worse' | 'no difference seen';

/** The significance level: the share of comparisons that may say "better" or "worse" without a real difference. */
export const significance = 0.05;

/** The pass rates of two versions, paired by case. @param pairs at least one; both sides have repeats that could be judged */
export function compareRates(pairs: readonly Pair<Counts>[]): Difference {
  const differences = pairs.map(({ before, after }) => rateOf(after) - rateOf(before));
  const unit = pairs.reduce((common, { before, after }) => lcm(lcm(common, before.repeats), after.repeats), 1);
  const whole = pairs.map(({ before, after }) => (after.passes * unit) / after.repeats - (before.passes * unit) / before.repeats);
  return {
    difference: mean(differences),
    interval: bootstrapInterval(differences),
    p_value: Number.isSafeInteger(unit) ? signFlipTest(whole.map(Math.round)) : sampledSignFlipTest(differences),
  };
}

/** A measure such as cost or latency, one mean per case. @param pairs at least one */
export function compareMeasures(pairs: readonly Pair<number>[]): Difference {
  const differences = pairs.map(({ before, after }) => after - before);
  return { difference: mean(differences), interval: bootstrapInterval(differences), p_value: sampledSignFlipTest(differences) };
}

/**
 * The verdict on a difference. "better" and "worse" need both: an adjusted p-value of at most 0.05, and an interval without 0.
 *
 * @param more whether more is better (pass rate) or worse (cost)
 */
export function verdictOf({ difference, interval }: Difference, adjusted: number, more: 'better' | 'worse'): Verdict {
  if (adjusted > significance || (interval.low <= 0 && interval.high >= 0)) return 'no difference seen';
  return difference > 0 === (more === 'better') ? 'better' : 'worse';
}

function lcm(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

const resamples = 2000;
const seed = 20_261_123;

/**
 * The 95 % interval of the mean of paired differences: whole cases are resampled with replacement, since repeats of one case belong together.
 * Percentiles of Efron (1979), "Bootstrap methods", with a fixed seed.
 *
 * @param differences one per case, at least one
 */
export function bootstrapInterval(differences: readonly number[]): { readonly low: number; readonly high: number } {
  // For example in an eval whose verdicts are all carried over.
  if (differences.every((difference) => difference === 0)) return { low: 0, high: 0 };
  const random = randomOf(seed);
  const count = differences.length;
  const means = new Float64Array(resamples);
  for (let index = 0; index < resamples; index++) {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn++) sum += differences[Math.floor(random() * count)]!;
    means[index] = sum / count;
  }
  means.sort();
  const observed = mean(differences);
  // The mean is within its own interval, however few cases there are.
  return {
    low: Math.min(observed, means[Math.floor(0.025 * resamples)]!),
    high: Math.max(observed, means[Math.ceil(0.975 * resamples) - 1]!),
  };
}

/**
 * p-values adjusted for the number of questions, in the order of the input: the probability of any false "yes" among all of them is at most the
 * level. Holm (1979), "A simple sequentially rejective multiple test procedure".
 */
export function holm(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted = new Array<number>(pValues.length);
  let highest = 0;
  for (const [rank, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (pValues.length - rank) * pValues[index]!));
    adjusted[index] = highest;
  }
  return adjusted;
}
