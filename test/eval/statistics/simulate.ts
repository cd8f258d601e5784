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

export interface MigratedSuite {
  readonly cases: number;
  readonly repeats: number;
  /** Mean pass rate of the old model. */
  readonly rate: number;
  /** By how much the mean of the new one is lower. */
  readonly drop: number;
  /** `breaks`: some cases never pass any more. `fades`: each case passes less often. `both`: half of the drop each. */
  readonly how: 'breaks' | 'fades' | 'both';
}

/** Draws the differences of the pass rates of cases that are asked with two models. Cases differ, and repeats of one resemble each other. */
export function drawDifferences({ cases, repeats, rate, drop, how }: MigratedSuite, random: Random): number[] {
  const draw = (share: number) => {
    let passes = 0;
    for (let repeat = 0; repeat < repeats; repeat++) if (random() < share) passes++;
    return passes / repeats;
  };
  const broken = { breaks: drop / rate, fades: 0, both: drop / rate / 2 }[how];
  // The mean is (1 - broken) of the faded rate, which has to be rate - drop.
  const kept = (rate - drop) / rate / (1 - broken);
  const spread = Math.min(rate, 1 - rate);
  return Array.from({ length: cases }, () => {
    const own = rate + (2 * random() - 1) * spread;
    return draw(random() < broken ? 0 : own * kept) - draw(own);
  });
}
