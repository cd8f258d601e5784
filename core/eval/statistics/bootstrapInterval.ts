import { mean } from './counts.js';
import { randomOf } from './random.js';

const resamples = 2000;
const seed = 20_261_123;

/**
 * The 95 % interval of the mean of paired differences: cases are drawn again with replacement, whole, since repeats of one case belong together.
 * Percentiles of Efron (1979), "Bootstrap methods", with a fixed seed.
 *
 * @param differences one a case, at least one
 */
export function bootstrapInterval(differences: readonly number[]): { readonly low: number; readonly high: number } {
  // As of an eval whose verdicts are all carried over.
  if (differences.every((difference) => difference === 0)) return { low: 0, high: 0 };
  const random = randomOf(seed);
  const count = differences.length;
  const means = new Float64Array(resamples);
  for (let index = 0; index < resamples; index++) {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn++) sum += differences[Math.floor(random() * count)]!;
    means[index] = sum / count;
  }
  means.sort();
  const observed = mean(differences);
  // The mean is within its own interval, however few cases there are.
  return {
    low: Math.min(observed, means[Math.floor(0.025 * resamples)]!),
    high: Math.max(observed, means[Math.ceil(0.975 * resamples) - 1]!),
  };
}
