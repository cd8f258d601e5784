import type { Json } from '../json.js';

/** How foreign text is written into a prompt so that it can neither end a line nor start one. */

/** Everything that some reader treats as the end of a line, and every other control character. */
const controls = /[\p{Cc}\u2028\u2029]/u;
const controlRuns = /[\p{Cc}\u2028\u2029]+/u;
/** Line separators that JSON does not escape. */
const rawSeparators = /[\u0085\u2028\u2029]/;
const bareKey = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const loneSurrogate = /\p{Cs}/u;
const listMarks = /[,[\]]/;

/** Compact JSON on one line: U+0085, U+2028 and U+2029 escaped too. `value` must be JSON. */
export function toJsonLine(value: Json): string {
  const json = JSON.stringify(value);
  return rawSeparators.test(json) ? json.replace(new RegExp(rawSeparators, 'g'), escapeUnit) : json;
}

/** The name of a payload entry: unchanged if it cannot be misread, otherwise a JSON string. */
export function toKey(key: string): string {
  return bareKey.test(key) ? key : toJsonLine(key);
}

/**
 * A field name or an enum value in a list. JSON-quoted if it is empty, holds a comma, a square bracket, a control character, a
 * line separator or a lone surrogate, has leading or trailing space, or starts with a quote.
 */
export function toListItem(text: string): string {
  const plain =
    text !== '' &&
    !listMarks.test(text) &&
    !controls.test(text) &&
    text.trim() === text &&
    !text.startsWith('"') &&
    !loneSurrogate.test(text);
  return plain ? text : toJsonLine(text);
}

/** Running text on one line: each run of control characters and line separators becomes one space, and the ends are trimmed. */
export function toSingleLine(text: string): string {
  if (!controls.test(text)) return text.trim();
  return text
    .split(controlRuns)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ');
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
