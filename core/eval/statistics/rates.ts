/** The repeats of one case that could be judged. */
export interface Counts {
  readonly passes: number;
  readonly repeats: number;
}

export function rateOf({ passes, repeats }: Counts): number {
  return passes / repeats;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Both ends are shares from 0 to 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Quantile of the normal distribution for a two-sided interval of 95 %. */
const z95 = 1.959963984540054;

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
  // At the ends the formula gives 0 and 1, up to rounding.
  return { low: passes === 0 ? 0 : center - half, high: passes === trials ? 1 : center + half };
}

function requireCounts(passes: number, trials: number): void {
  const isCount = Number.isInteger(passes) && Number.isInteger(trials) && passes >= 0 && passes <= trials && trials > 0;
  if (!isCount) throw new RangeError(`${passes} of ${trials} is not a number of passes.`);
}

/** The pass rate of a suite. */
export interface SuiteRate {
  /** Share of all repeats that passed, from 0 to 1. */
  readonly rate: number;
  /** Clustered by case. */
  readonly standard_error: number;
  /** 95 %. */
  readonly interval: Interval;
}

/**
 * The mean over all repeats, with a standard error clustered by case: repeats of one case resemble each other, so they are not independent trials.
 * Miller (2024), "Adding error bars to evals", section 2.2; with the factor G / (G - 1) for G cases, as in Cameron and Miller (2015), "A
 * practitioner's guide to cluster-robust inference", section II.C.
 *
 * The interval is Wilson's for as many independent trials as have this standard error, and never for more than there were repeats.
 *
 * @param cases at least one, each with at least one repeat
 */
export function suiteRate(cases: readonly Counts[]): SuiteRate {
  const trials = cases.reduce((sum, { repeats }) => sum + repeats, 0);
  const passes = cases.reduce((sum, { passes }) => sum + passes, 0);
  const rate = passes / trials;
  const squares = cases.reduce((sum, counts) => sum + (counts.passes - counts.repeats * rate) ** 2, 0);
  const correction = cases.length > 1 ? cases.length / (cases.length - 1) : 1;
  const variance = (correction * squares) / (trials * trials);
  return { rate, standard_error: Math.sqrt(variance), interval: intervalOf({ rate, variance, trials, cases: cases.length }) };
}

interface Estimate {
  readonly rate: number;
  readonly variance: number;
  readonly trials: number;
  readonly cases: number;
}

function intervalOf({ rate, variance, trials, cases }: Estimate): Interval {
  // If all repeats agree, their variance within a case is not known, so only the cases count as independent.
  const independent = variance === 0 ? cases : Math.min(trials, (rate * (1 - rate)) / variance);
  return wilsonOfShare(rate, Math.max(1, independent));
}

/** Wilson's interval for a number of trials that need not be whole. */
function wilsonOfShare(rate: number, trials: number): Interval {
  if (Number.isInteger(trials) && Number.isInteger(rate * trials)) return wilsonInterval(rate * trials, trials);
  const square = z95 * z95;
  const center = (rate + square / (2 * trials)) / (1 + square / trials);
  const half = (z95 / (1 + square / trials)) * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials * trials));
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) };
}

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

/** pass@k and pass^k of a suite. */
export interface Attempts {
  readonly k: number;
  /** Cases that were judged more than once: the means are over these. */
  readonly cases: number;
  /** The probability that at least one of `k` attempts passes. */
  readonly pass_at_k: number;
  /** The probability that all of them pass. */
  readonly pass_hat_k: number;
}

/** pass@k and pass^k for the largest `k` that every repeated case allows; undefined where no case was repeated. */
export function attemptsOf(cases: readonly Counts[]): Attempts | undefined {
  const repeated = cases.filter(({ repeats }) => repeats > 1);
  if (repeated.length === 0) return undefined;
  const k = repeated.reduce((least, { repeats }) => Math.min(least, repeats), Number.POSITIVE_INFINITY);
  return {
    k,
    cases: repeated.length,
    pass_at_k: mean(repeated.map(({ passes, repeats }) => passAtK(passes, repeats, k))),
    pass_hat_k: mean(repeated.map(({ passes, repeats }) => passHatK(passes, repeats, k))),
  };
}
