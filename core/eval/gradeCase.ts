import type { GradedRepeat, Outcome } from './types.js';

/** A case after all its repeats. */
export interface GradedCase {
  readonly outcome: Outcome;
  readonly passes: number;
  /** Repeats that passed or failed. */
  readonly judged: number;
  readonly repeats: readonly GradedRepeat[];
}

/**
 * A case passes when enough of its repeats do. Repeats that could not be judged leave it unknown only where they would decide.
 *
 * @param pass_rate the share that has to pass, from 0 to 1
 */
export function gradeCase(repeats: readonly GradedRepeat[], pass_rate = 1): GradedCase {
  const passes = repeats.filter(({ outcome }) => outcome === 'passed').length;
  const failures = repeats.filter(({ outcome }) => outcome === 'failed').length;
  // 0.7 of 10 is 7, not 7.000000000000001.
  const needed = Math.ceil(pass_rate * repeats.length - 1e-9);
  const outcome = passes >= needed && repeats.length > 0 ? 'passed' : repeats.length - failures < needed ? 'failed' : 'unknown';
  return { outcome, passes, judged: passes + failures, repeats };
}
