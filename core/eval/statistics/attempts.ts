import { type Counts, mean } from './counts.js';
import { passAtK, passHatK } from './passAtK.js';

/** What several attempts at the cases of a suite come to. */
export interface Attempts {
  readonly k: number;
  /** Cases that were judged more than once: over them the means are taken. */
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
