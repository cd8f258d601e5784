import type { TextRange } from '../finding.js';
import { decodeKey, skipSpace, skipValue } from './jsonScan.js';
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
 * to be JSON; in other text places are found up to where it stops making sense.
 */
export function locate(text: string, pointers: Iterable<string>): ReadonlyMap<string, Located> {
  const found = new Map<string, Located>();
  new Locator(text, found).visit(skipSpace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0), treeOf(pointers), undefined);
  return found;
}

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
    if (end >= 0 && wanted.pointer !== undefined) {
      this.found.set(wanted.pointer, { ...(key !== undefined && { key }), value: { start, end } });
    }
    return end;
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
    for (const segment of pointer === '' ? [] : pointer.slice(1).split('/')) {
      const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
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
