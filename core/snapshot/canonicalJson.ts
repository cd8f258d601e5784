import type { Json } from '../json.js';
import { sortKeys } from './sortKeys.js';

/**
 * Canonical JSON, RFC 8785: no white space, object keys sorted by UTF-16 units, numbers and strings as ECMAScript writes them; so
 * equal values have equal bytes on every machine. Any depth of nesting.
 *
 * One deviation: RFC 8785 wants an error for a string with a lone surrogate, which has no UTF-8 form. Config files may hold one, and
 * losing a run over half an emoji helps nobody; it is written as its escape (`\ud83d`), as `JSON.stringify` does since ECMAScript
 * 2019. The text stays ASCII there, is as unambiguous, and reads back as the same value.
 * @throws TypeError for what is not JSON (undefined, a function, NaN, an infinity) and for a value that contains itself
 */
export function canonicalJson(value: Json): string {
  const parts: string[] = [];
  const open: Frame[] = [];
  const met = new Map<object, Frame>();
  const names = new Map<string, Name>();
  const texts = new Map<string, string>();

  function write(item: unknown): void {
    if (typeof item !== 'object' || item === null) {
      parts.push(typeof item === 'string' ? quote(item, texts) : scalar(item));
      return;
    }
    const before = met.get(item);
    if (before !== undefined) {
      parts.push(writtenAs(before, parts));
      return;
    }
    const keys = Array.isArray(item) ? undefined : sortKeys(Object.keys(item));
    const length = keys ? keys.length : (item as readonly unknown[]).length;
    const frame: Frame = { node: item, keys, length, at: 0, start: parts.length, end: undefined, text: undefined };
    met.set(item, frame);
    open.push(frame);
    if (length === 0 || !keys) parts.push(keys ? '{' : '[');
  }

  write(value);
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const { node, keys, length, at } = frame;
    if (at === length) {
      parts.push(keys ? '}' : ']');
      frame.end = parts.length;
      open.pop();
      continue;
    }
    frame.at = at + 1;
    if (keys) {
      const key = keys[at] as string;
      const name = nameOf(key, names);
      parts.push(at === 0 ? name.first : name.other);
      write((node as Record<string, unknown>)[key]);
    } else {
      if (at > 0) parts.push(',');
      write((node as readonly unknown[])[at]);
    }
  }
  return parts.join('');
}

/** An array or object whose members are being written, or were; the depth lives here rather than on the call stack. */
interface Frame {
  readonly node: object;
  /** Sorted; undefined for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  at: number;
  /** Its place among the parts of the text; without an end while it is being written. */
  readonly start: number;
  end: number | undefined;
  /** Once it was met again: what agents of one kind have in common is most of a snapshot. */
  text: string | undefined;
}

function writtenAs(frame: Frame, parts: readonly string[]): string {
  if (frame.end === undefined) throw new TypeError('A value that contains itself has no JSON form.');
  frame.text ??= parts.slice(frame.start, frame.end).join('');
  return frame.text;
}

/** A key with all that stands before its value, as the first and as another member of its object. */
interface Name {
  readonly first: string;
  readonly other: string;
}

function nameOf(key: string, names: Map<string, Name>): Name {
  let name = names.get(key);
  if (name === undefined) {
    const quoted = JSON.stringify(key);
    name = { first: `{${quoted}:`, other: `,${quoted}:` };
    names.set(key, name);
  }
  return name;
}

/** Short texts, names above all, are met again and again. */
function quote(text: string, texts: Map<string, string>): string {
  if (text.length > 40) return JSON.stringify(text);
  let quoted = texts.get(text);
  if (quoted === undefined) {
    quoted = JSON.stringify(text);
    texts.set(text, quoted);
  }
  return quoted;
}

function scalar(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  // `String` and RFC 8785 agree on numbers but for minus zero, which both write as 0.
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw new TypeError(`${typeof value === 'number' ? String(value) : `A value of type ${typeof value}`} has no JSON form.`);
}
