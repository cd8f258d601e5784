import { bootstrapInterval } from './bootstrapInterval.js';
import { type Counts, mean, rateOf } from './counts.js';
import { sampledSignFlipTest, signFlipTest } from './signFlipTest.js';

/** One case with two versions, models or builds. */
export interface Pair<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** A mean difference, after less before. */
export interface Difference {
  /** Mean over the cases. */
  readonly difference: number;
  /** 95 %. */
  readonly interval: { readonly low: number; readonly high: number };
  /** Two-sided, not adjusted for other questions (`holm`). */
  readonly p_value: number;
}

export type Verdict = 'better' | 'worse' | 'no difference seen';

/** At most this share of comparisons says "better" or "worse" where there is no difference. */
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

/** A measure such as cost or latency, one mean a case. @param pairs at least one */
export function compareMeasures(pairs: readonly Pair<number>[]): Difference {
  const differences = pairs.map(({ before, after }) => after - before);
  return { difference: mean(differences), interval: bootstrapInterval(differences), p_value: sampledSignFlipTest(differences) };
}

/**
 * What a difference is called. A word needs both: a p-value, adjusted for all that was asked, of at most 0.05, and an interval without 0.
 *
 * @param more what more of it is: a higher pass rate is better, a higher cost worse
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
