import type { TextRange } from '../../core/finding.js';
import type { Path } from '../jsonTree.js';

/** A scalar, or where one may be written. */
export interface ScalarSpot {
  readonly path: Path;
  readonly side: 'key' | 'value';
  /** The text of a string without quotation marks, up to the cursor at least. */
  readonly text: string;
  /** Where the text begins in the document. */
  readonly start: number;
  /** A name as it is written here, where it is the whole scalar. */
  write(name: string): string;
}

/**
 * The scalar of front matter at an offset: a field, or an item of a list, whose index is always 0. Undefined where none may be written; fields inside of
 * fields are not looked into.
 */
export function frontMatterSpot(text: string, offset: number): ScalarSpot | undefined {
  const [opening] = /^\ufeff?---[ \t]*\r?\n/.exec(text) ?? [];
  if (opening === undefined || offset < opening.length) return undefined;
  const closing = text.slice(opening.length).search(/^---[ \t]*$/m);
  if (closing >= 0 && offset >= opening.length + closing) return undefined;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? '';
  const [whole, key, dash] = /^(?:([A-Za-z][\w-]*):|\s*(-))(?:[ \t]+|$)/.exec(line) ?? [];
  if (whole === undefined || offset < start + whole.length || !/\s$/.test(whole)) return undefined;
  const from = start + whole.length;
  const field = key ?? (dash === undefined ? undefined : fieldAround(text.slice(opening.length, start)));
  if (field === undefined) return undefined;
  const value = line.slice(whole.length);
  if (dash !== undefined) return scalarAt(text, { start: from, end: start + line.length }, offset, [field, 0]);
  if (!value.startsWith('[')) return scalarAt(text, { start: from, end: start + line.length }, offset, [field]);
  if (offset === from) return undefined;
  const before = text.slice(from + 1, offset);
  const behind = /^[^,\]\r\n]*/.exec(text.slice(offset))?.[0] ?? '';
  if (before.includes(']')) return undefined;
  return scalarAt(text, { start: from + 1 + before.lastIndexOf(',') + 1, end: offset + behind.length }, offset, [field, 0]);
}

/** The field that a list belongs to, which all items above are of. */
function fieldAround(above: string): string | undefined {
  const lines = above.split(/\r?\n/).slice(0, -1);
  const line = lines.findLast((other) => !/^\s*(?:-(?:\s|$)|#|$)/.test(other));
  return /^([A-Za-z][\w-]*):[ \t]*(?:#.*)?$/.exec(line ?? '')?.[1];
}

function scalarAt(text: string, { start, end }: TextRange, offset: number, path: Path): ScalarSpot | undefined {
  const side = 'value';
  const written = text.slice(start, end);
  const from = start + written.length - written.trimStart().length;
  // Plain scalars of YAML do not begin with these.
  const write = (name: string) => (/^[@*&!%|>`"'#[\]{},?:-]/.test(name) ? JSON.stringify(name) : name);
  if (offset < from) return { path, side, text: '', start: offset, write };
  const quote = /^["']/.exec(text.slice(from, end))?.[0];
  if (quote === undefined) {
    const content = text
      .slice(from, end)
      .replace(/\s+#.*$/, '')
      .trimEnd();
    return { path, side, text: text.slice(from, Math.max(from + content.length, offset)), start: from, write };
  }
  const closing = text.slice(from + 1, end).indexOf(quote);
  const to = closing < 0 ? end : from + 1 + closing;
  if (offset === from || offset > to) return undefined;
  return { path, side, text: text.slice(from + 1, to), start: from + 1, write: (name) => name };
}
