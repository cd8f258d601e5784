import { distance } from 'fastest-levenshtein';

/** Longer texts are compared by their beginning, in UTF-16 units: the time grows with the product of both lengths. */
const longest = 20_000;

/**
 * How alike two texts are, from 0 to 1: `1 - edits / length of the longer one`, where an edit puts in, takes out or changes one UTF-16 unit
 * (Levenshtein 1966). Runs of white space count as one space, and a letter with an accent is one letter (NFC).
 */
export function similarity(left: string, right: string): number {
  const [a, b] = [normalized(left), normalized(right)];
  const length = Math.max(a.length, b.length);
  return length === 0 ? 1 : 1 - distance(a, b) / length;
}

function normalized(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/g, ' ').slice(0, longest);
}
