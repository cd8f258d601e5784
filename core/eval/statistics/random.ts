/** Numbers from 0 (included) to 1 (excluded). */
export type Random = () => number;

/**
 * Seeded random numbers, so that reports are reproducible: mulberry32, whose period of 2^32 is far more than a report draws.
 */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
