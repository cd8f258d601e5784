/**
 * True in a whole `npm run fuzz`, which sets `TEST_EFFORT=all`: tests then try each place of a text and many random cases. `npm test` tries a
 * sample, the same every time.
 */
export const triesAll = process.env.TEST_EFFORT === 'all';

/** How many random cases a property tries: `few` with every `npm test`, `many` with `npm run fuzz`. */
export function runs(few: number, many: number): number {
  return triesAll ? many : few;
}
