import { requireCounts } from './wilsonInterval.js';

/**
 * pass@k: the probability that at least one of `k` attempts passes, estimated without bias from `trials` attempts of which `passes` passed:
 * `1 - C(n - c, k) / C(n, k)`. Chen et al. (2021), "Evaluating large language models trained on code", equation 1.
 *
 * @param k from 1 to `trials`
 * @throws RangeError
 */
export function passAtK(passes: number, trials: number, k: number): number {
  return 1 - shareOfDraws(trials - passes, trials, k);
}

/**
 * pass^k: the probability that all of `k` attempts pass, estimated without bias: `C(c, k) / C(n, k)`. Yao et al. (2024), "tau-bench", section 3.
 *
 * @param k from 1 to `trials`
 * @throws RangeError
 */
export function passHatK(passes: number, trials: number, k: number): number {
  return shareOfDraws(passes, trials, k);
}

/** `C(chosen, k) / C(trials, k)` as a product, so that no factorial overflows. */
function shareOfDraws(chosen: number, trials: number, k: number): number {
  requireCounts(chosen, trials);
  if (!Number.isInteger(k) || k < 1 || k > trials) throw new RangeError(`${k} attempts cannot be drawn from ${trials}.`);
  let share = 1;
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, chosen - drawn) / (trials - drawn);
  return share;
}
