import type { TextRange } from '../finding.js';

/** A JSON string in its text: where each unit of what it says is written. */
export interface DecodedString {
  readonly value: string;
  /** Where unit `offset` of the value is written; past the end means the closing quote. */
  rawOffset(offset: number): number;
}

/**
 * One pass over the string; each look-up afterwards takes logarithmic time.
 *
 * @param quoted the string with its quotes
 * @returns undefined when the text there is no JSON string
 */
export function decodeString(text: string, quoted: TextRange): DecodedString | undefined {
  const written = text.slice(quoted.start, quoted.end);
  const value = parseString(written);
  if (value === undefined) return undefined;
  // One entry for each escape: up to which unit of the value the shift holds that all escapes before add up to.
  const units: number[] = [];
  const shifts: number[] = [];
  let shift = 0;
  for (let at = written.indexOf('\\'); at >= 0; ) {
    const length = written[at + 1] === 'u' ? 6 : 2;
    units.push(at - 1 - shift);
    shift += length - 1;
    shifts.push(shift);
    at = written.indexOf('\\', at + length);
  }
  const first = quoted.start + 1;
  return {
    value,
    rawOffset(offset) {
      const unit = Math.max(0, Math.min(offset, value.length));
      return first + unit + (shifts[countBelow(units, unit) - 1] ?? 0);
    },
  };
}

/** What a string with its quotes says; undefined where JSON has no such string. */
export function parseString(written: string): string | undefined {
  if (!written.startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Cut off, or with an escape JSON does not have.
    return undefined;
  }
}

/** How many of the ascending numbers are below `limit`. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
