import type { TextRange } from '../finding.js';

/** A JSON string in its text: where each unit of the decoded value is written. */
export interface DecodedString {
  readonly value: string;
  /** The offset in the text of a UTF-16 unit of the value; past the end, that of the closing quote. */
  rawOffset(unit: number): number;
}

/**
 * @param quoted the string with its quotes
 * @returns undefined if the text there is not a JSON string
 */
export function decodeString(text: string, quoted: TextRange): DecodedString | undefined {
  const value = parseString(text.slice(quoted.start, quoted.end));
  return value === undefined ? undefined : { value, rawOffset: rawOffsets(text, quoted) };
}

/** The offsets in the text of the units of a quoted string, which may be unclosed: one unit may be written `\n` or `\u00e9`. */
export function rawOffsets(text: string, { start, end }: TextRange): DecodedString['rawOffset'] {
  const last = end - 1 > start && text[end - 1] === '"' ? end - 1 : end;
  const units: number[] = [];
  for (let at = start + 1; at < last; at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2) units.push(at);
  return (unit) => units[Math.max(0, unit)] ?? last;
}

/** The value of a string with its quotes; undefined if it is not valid JSON. */
export function parseString(written: string): string | undefined {
  if (!written.startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Cut off, or with an invalid escape.
    return undefined;
  }
}
