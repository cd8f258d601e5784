import type { TextRange } from '../finding.js';

/** A JSON string in its text: where each unit of the decoded value is written. */
export interface DecodedString {
  readonly value: string;
  /** The offset in the text of a UTF-16 unit of the value; past the end, of the closing quote. */
  rawOffset(unit: number): number;
}

/**
 * @param quoted the string with its quotes
 * @returns undefined when the text there is no JSON string
 */
export function decodeString(text: string, quoted: TextRange): DecodedString | undefined {
  const written = text.slice(quoted.start, quoted.end);
  const value = parseString(written);
  if (value === undefined) return undefined;
  const units: number[] = [];
  const end = quoted.end - 1;
  for (let at = quoted.start + 1; at < end; at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2) units.push(at);
  return { value, rawOffset: (unit) => units[Math.max(0, unit)] ?? end };
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
