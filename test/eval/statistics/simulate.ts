import { compareRates, holm, significance, type Verdict, verdictOf } from '../../../core/eval/statistics/comparePaired.js';
import type { Random } from '../../../core/eval/statistics/random.js';
import { signFlipTest } from '../../../core/eval/statistics/signFlipTest.js';

export interface SimulatedSuite {
  readonly cases: number;
  readonly repeats: number;
  /** Mean pass rate; the cases lie around it. */
  readonly rate: number;
  /** By how much the mean of the second version is lower: every case loses the same part. */
  readonly drop: number;
  /** So many are answered at once, of which the others find nothing. Default 1. */
  readonly questions?: number;
}

/** Draws two versions of a suite and says what a comparison calls their difference. */
export function comparePairs({ cases, repeats, rate, drop, questions = 1 }: SimulatedSuite, random: Random): Verdict {
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
  const adjust = (p_value: number) => holm([p_value, ...Array<number>(questions - 1).fill(1)])[0]!;
  // The interval costs more than all else, and matters only where the p-value leaves a verdict open.
  if (adjust(signFlipTest(pairs.map(({ before, after }) => after.passes - before.passes))) > significance) return 'no difference seen';
  const difference = compareRates(pairs);
  return verdictOf(difference, adjust(difference.p_value), 'better');
}
