import { randomOf } from './random.js';

/** The most steps for counting sums exactly. */
const mostSteps = 20_000_000;
/** Up to this number of differences, all sign assignments are tried. */
const fewEnough = 16;
/** From this number on, the normal approximation is used. */
const manyEnough = 1000;

/**
 * The two-sided p-value of paired differences, one per case: the share of all ways to swap the two versions within cases whose sum is at least as
 * far from 0. This is Fisher's randomisation test, which assumes no distribution; with one repeat per case, where every difference is -1, 0 or 1, it
 * is the exact test of McNemar (1947).
 *
 * @param differences integers: passes of one version minus those of the other, scaled to a common number of repeats
 */
export function signFlipTest(differences: readonly number[]): number {
  const sizes = differences.filter((difference) => difference !== 0).map(Math.abs);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  if (observed === 0) return 1;
  if (sizes.length * total > mostSteps) {
    // Different numbers of repeats make large sums, even for few cases.
    if (sizes.length < manyEnough) return sampledSignFlipTest(differences);
    return normalTail(observed / Math.sqrt(sizes.reduce((sum, size) => sum + size * size, 0)));
  }
  // shares[sum + total]: the share of sign assignments so far with this sum.
  let shares = new Float64Array(2 * total + 1);
  shares[total] = 1;
  let reach = 0;
  for (const size of sizes) {
    const next = new Float64Array(2 * total + 1);
    for (let sum = -reach; sum <= reach; sum++) {
      const half = shares[sum + total]! / 2;
      if (half === 0) continue;
      next[sum + size + total]! += half;
      next[sum - size + total]! += half;
    }
    reach += size;
    shares = next;
  }
  let tail = 0;
  for (let sum = observed; sum <= total; sum++) tail += shares[sum + total]!;
  return Math.min(1, 2 * tail);
}

const samples = 10_000;
const seed = 20_261_123;

/**
 * The same test for measures, whose sums cannot be counted: over all ways to swap for up to 16 differences; above that, over 10,000 drawn with a
 * fixed seed and the observed one. Phipson and Smyth (2010), "Permutation p-values should never be zero".
 */
export function sampledSignFlipTest(differences: readonly number[]): number {
  const sizes = differences.filter((difference) => difference !== 0);
  // Sums of the same numbers can differ by rounding.
  const observed = Math.abs(sizes.reduce((sum, size) => sum + size, 0)) * (1 - 1e-12);
  if (sizes.length <= fewEnough) return shareAsFar(sizes, observed);
  const random = randomOf(seed);
  let asFar = 0;
  for (let index = 0; index < samples; index++) {
    let sum = 0;
    for (const size of sizes) sum += random() < 0.5 ? size : -size;
    if (Math.abs(sum) >= observed) asFar++;
  }
  return (asFar + 1) / (samples + 1);
}

/** The share of all sign assignments whose sum is at least as far from 0. */
function shareAsFar(sizes: readonly number[], observed: number): number {
  const ways = 2 ** sizes.length;
  let asFar = 0;
  for (let signs = 0; signs < ways; signs++) {
    const sum = sizes.reduce((total, size, index) => total + ((signs >> index) & 1 ? size : -size), 0);
    if (Math.abs(sum) >= observed) asFar++;
  }
  return asFar / ways;
}

/** Two-sided. The complementary error function by Abramowitz and Stegun (1964), 7.1.26: off by less than 2e-7. */
export function normalTail(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return polynomial * Math.exp(-x * x);
}
