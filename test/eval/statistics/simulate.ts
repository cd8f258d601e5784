import { compareRates, type Verdict, verdictOf } from '../../../core/eval/statistics/comparePaired.js';
import type { Random } from '../../../core/eval/statistics/random.js';

export interface SimulatedSuite {
  readonly cases: number;
  readonly repeats: number;
  /** Mean pass rate; the cases lie around it. */
  readonly rate: number;
  /** By how much the mean of the second version is lower: every case loses the same part. */
  readonly drop: number;
}

/** Draws two versions of a suite and says what a comparison calls their difference. */
export function comparePairs({ cases, repeats, rate, drop }: SimulatedSuite, random: Random): Verdict {
  const draw = (share: number) => {
    let passes = 0;
    for (let repeat = 0; repeat < repeats; repeat++) if (random() < share) passes++;
    return { passes, repeats };
  };
  const spread = Math.min(rate, 1 - rate);
  const pairs = Array.from({ length: cases }, () => {
    const own = rate + (2 * random() - 1) * spread;
    return { before: draw(own), after: draw(own * (1 - drop / rate)) };
  });
  const difference = compareRates(pairs);
  return verdictOf(difference, difference.p_value, 'better');
}
