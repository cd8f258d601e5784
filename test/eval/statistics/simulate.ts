import { compareRates, type Verdict, verdictOf } from '../../../core/eval/statistics/comparePaired.js';
import { holm } from '../../../core/eval/statistics/holm.js';
import type { Random } from '../../../core/eval/statistics/random.js';

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
  const difference = compareRates(pairs);
  const [adjusted = 1] = holm([difference.p_value, ...Array<number>(questions - 1).fill(1)]);
  return verdictOf(difference, adjusted, 'better');
}
