import type { Json } from '../json.js';

/** Says what is wrong with a value, a sentence; undefined where it fits. */
export type Fits = (value: Json) => string | undefined;

/**
 * What a cell of a table means, where its schema takes a number, a truth value, a list or an object: the first reading that fits. A text is read
 * as a text before anything else, so `"007"` stays as it is where texts are allowed. A list is JSON, or has semicolons between its items.
 *
 * @returns the value, or what is wrong with the text as it stands
 */
export function cellValue(cell: Json, fits: Fits): { readonly value: Json } | { readonly issue: string } {
  const issue = fits(cell);
  if (issue === undefined) return { value: cell };
  if (typeof cell === 'string') {
    for (const value of readings(cell.trim(), fits)) if (fits(value) === undefined) return { value };
  }
  return { issue };
}

function* readings(text: string, fits: Fits): Generator<Json> {
  yield text;
  const read = scalarOf(text) ?? jsonOf(text);
  if (read !== undefined) yield read;
  if (text === '') return;
  const parts = text.split(';').map((part) => part.trim());
  const simple = parts.map((part) => scalarOf(part) ?? part);
  yield parts;
  if (fits(parts) !== undefined) yield simple;
}

/** A number, also with zeros in front, or a truth value in any letter case, as spreadsheets write them. */
function scalarOf(text: string): Json | undefined {
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return Number(text);
  const lower = text.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : undefined;
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
