/** Both ends are shares from 0 to 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Quantile of the normal distribution for a two-sided interval of 95 %. */
export const z95 = 1.959963984540054;

/**
 * The 95 % interval of a pass rate. Unlike `rate ± 1.96 standard errors` it stays within 0 and 1, and it is not empty when every repeat passed.
 * Wilson (1927), "Probable inference, the law of succession, and statistical inference", without continuity correction.
 *
 * @param trials at least 1
 * @throws RangeError for counts that no run can have
 */
export function wilsonInterval(passes: number, trials: number): Interval {
  requireCounts(passes, trials);
  const rate = passes / trials;
  const square = z95 * z95;
  const center = (rate + square / (2 * trials)) / (1 + square / trials);
  const half = (z95 / (1 + square / trials)) * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials * trials));
  // At the ends the formula gives 0 and 1 but for rounding.
  return { low: passes === 0 ? 0 : center - half, high: passes === trials ? 1 : center + half };
}

export function requireCounts(passes: number, trials: number): void {
  const isCount = Number.isInteger(passes) && Number.isInteger(trials) && passes >= 0 && passes <= trials && trials > 0;
  if (!isCount) throw new RangeError(`${passes} of ${trials} is not a number of passes.`);
}
