import type { TextRange } from '../finding.js';
import { segmentsOf } from '../json.js';
import { decodeKey, depthAt, skipSpace, skipValue } from './jsonScan.js';
import { endOfString } from './jsonShape.js';

/** Where one member or item is written. */
export interface Located {
  /** Of an object's member: the key with its quotes. */
  readonly key?: TextRange;
  readonly value: TextRange;
}

/** One wanted place and those below it. */
interface Wanted {
  readonly children: Map<string, Wanted>;
  pointer: string | undefined;
}

/**
 * Finds where values are written, by JSON pointer, in one pass over the text for all of them; whatever is not wanted is stepped over.
 * Of a key given twice the last occurrence counts, as in `JSON.parse`. Pointers to nothing are absent from the answer. The text is meant
 * to be JSON; of other text no more is promised than that what is found lies in it.
 */
export function locate(text: string, pointers: Iterable<string>): ReadonlyMap<string, Located> {
  const all = [...pointers];
  const found = new Map<string, Located>();
  const locator = new Locator(text, found);
  const [pointer = '', ...others] = all;
  const only = others.length === 0 ? findOnly(text, pointer) : undefined;
  if (only !== undefined) found.set(pointer, only);
  else locator.visit(skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0), treeOf(all), undefined);
  return found;
}

/** A member of the root whose key is written nowhere else: found without a look at the others. Undefined for any other pointer. */
function findOnly(text: string, pointer: string): Located | undefined {
  const key = plainMember.exec(pointer)?.[1];
  // Written with an escape, it might be there a second time.
  if (key === undefined || text.includes('\\u')) return undefined;
  const quoted = `"${key}"`;
  const start = text.indexOf(quoted);
  if (start < 0 || text.includes(quoted, start + 1) || depthAt(text, start) !== 1) return undefined;
  const end = start + quoted.length;
  const colon = skipSpace(text, end);
  if (text.charCodeAt(colon) !== 0x3a) return undefined;
  const value = skipSpace(text, colon + 1);
  const valueEnd = skipValue(text, value);
  return valueEnd < 0 ? undefined : { key: { start, end }, value: { start: value, end: valueEnd } };
}

/** Of a key that no escape but `\u` can spell. */
const plainMember = /^\/([\w$-]+)$/;

class Locator {
  private readonly text: string;
  private readonly found: Map<string, Located>;

  constructor(text: string, found: Map<string, Located>) {
    this.text = text;
    this.found = found;
  }

  /** Visits the value at `start` and returns where it ends, or -1 when the text makes no sense. As deep as the wanted pointers, no deeper. */
  visit(start: number, wanted: Wanted, key: TextRange | undefined): number {
    const end = this.inside(start, wanted);
    if (end >= 0) this.add(start, end, wanted, key);
    return end;
  }

  private add(start: number, end: number, { pointer }: Wanted, key: TextRange | undefined): void {
    if (pointer !== undefined) this.found.set(pointer, { ...(key !== undefined && { key }), value: { start, end } });
  }

  private inside(start: number, wanted: Wanted): number {
    if (wanted.children.size === 0) return skipValue(this.text, start);
    const unit = this.text.charCodeAt(start);
    if (unit === 0x7b) return this.object(start, wanted);
    if (unit === 0x5b) return this.array(start, wanted);
    return skipValue(this.text, start);
  }

  private object(start: number, wanted: Wanted): number {
    const { text } = this;
    for (let at = skipSpace(text, start + 1); ; at = skipSpace(text, at + 1)) {
      if (text.charCodeAt(at) === 0x7d) return at + 1;
      if (text.charCodeAt(at) !== 0x22) return -1;
      const last = endOfString(text, at);
      const colon = last < 0 ? -1 : skipSpace(text, last + 1);
      if (text.charCodeAt(colon) !== 0x3a) return -1;
      const key = { start: at, end: last + 1 };
      const child = wanted.children.get(decodeKey(text.slice(key.start, key.end)));
      const value = skipSpace(text, colon + 1);
      if (child !== undefined) this.forget(child);
      const end = child === undefined ? skipValue(text, value) : this.visit(value, child, key);
      if (end < 0) return -1;
      at = skipSpace(text, end);
      if (text.charCodeAt(at) === 0x7d) return at + 1;
      if (text.charCodeAt(at) !== 0x2c) return -1;
    }
  }

  private array(start: number, wanted: Wanted): number {
    const { text } = this;
    let at = skipSpace(text, start + 1);
    if (text.charCodeAt(at) === 0x5d) return at + 1;
    for (let index = 0; ; index++) {
      const child = wanted.children.get(String(index));
      const end = child === undefined ? skipValue(text, at) : this.visit(at, child, undefined);
      if (end < 0) return -1;
      at = skipSpace(text, end);
      if (text.charCodeAt(at) === 0x5d) return at + 1;
      if (text.charCodeAt(at) !== 0x2c) return -1;
      at = skipSpace(text, at + 1);
    }
  }

  /** A later key of the same name replaces all that was found under the earlier one. */
  private forget(wanted: Wanted): void {
    if (wanted.pointer !== undefined) this.found.delete(wanted.pointer);
    for (const child of wanted.children.values()) this.forget(child);
  }
}

function treeOf(pointers: Iterable<string>): Wanted {
  const root: Wanted = { children: new Map(), pointer: undefined };
  for (const pointer of pointers) {
    let node = root;
    for (const name of segmentsOf(pointer)) {
      let child = node.children.get(name);
      if (child === undefined) {
        child = { children: new Map(), pointer: undefined };
        node.children.set(name, child);
      }
      node = child;
    }
    node.pointer = pointer;
  }
  return root;
}

/** The pointer of the value around `pointer`, or undefined for the root. */
export function parentPointer(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'));
}
