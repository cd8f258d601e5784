import { visit } from 'jsonc-parser';
import type { TextRange } from '../finding.js';
import { segmentsOf } from '../json.js';
import { endOfString, isTooDeep, maxDepth, shapeOf, units } from './jsonShape.js';

/** Where one member or item is written. */
export interface Located {
  /** For a member of an object: the key with its quotes. */
  readonly key?: TextRange;
  readonly value: TextRange;
}

/**
 * Where values are written, by JSON pointer; dangling pointers are absent from the result. For a duplicate key the last occurrence counts, as in
 * `JSON.parse`. In text that is not JSON, readable parts are found; in text nested too deeply for a config, nothing. No tree is built: in a long
 * text only few values are looked up.
 */
export function locate(text: string, pointers: Iterable<string>): ReadonlyMap<string, Located> {
  const located = new Map<string, Located>();
  const all = wantedOf(pointers);
  const root = all.get('');
  if (root === undefined) return located;
  const start = text.startsWith('\ufeff') ? 1 : 0;
  if (isJson(text, start)) locateInJson(text, start, root, located);
  else if (!isTooDeep(text)) locateTolerantly(text, root, located);
  for (const [pointer, { isAsked }] of all) if (!isAsked) located.delete(pointer);
  return located;
}

/** Whether a text is JSON, nested no deeper than a config may be. */
function isJson(text: string, start: number): boolean {
  if (shapeOf(text).depth > maxDepth) return false;
  try {
    JSON.parse(text.slice(start));
    return true;
  } catch {
    return false;
  }
}

/** Follows the wanted pointers in a text that is JSON, and skips everything else without examining it. */
function locateInJson(text: string, offset: number, root: Wanted, located: Map<string, Located>): void {
  const unitAt = (at: number) => text.charCodeAt(at);
  function pastSpace(start: number): number {
    let at = start;
    while (isSpace(unitAt(at))) at += 1;
    return at;
  }
  function endOfValue(start: number): number {
    if (unitAt(start) === units.quote) return endOfString(text, start) + 1;
    let at = start;
    if (!isOpening(unitAt(start))) {
      while (at < text.length && !isClosing(unitAt(at)) && unitAt(at) !== units.comma && !isSpace(unitAt(at))) at += 1;
      return at;
    }
    for (let open = 0; at < text.length; at += 1) {
      const unit = unitAt(at);
      if (unit === units.quote) at = endOfString(text, at);
      else if (isOpening(unit)) open += 1;
      else if (isClosing(unit)) open -= 1;
      if (open === 0) break;
    }
    return at + 1;
  }
  /** @returns the end of the value */
  function follow(wanted: Wanted, start: number, key?: TextRange): number {
    forget(wanted, located);
    const member = key !== undefined && { key };
    located.set(wanted.pointer, { ...member, value: { start, end: start + 1 } });
    const end = wanted.inner.size > 0 && isOpening(unitAt(start)) ? followInner(wanted, start) : endOfValue(start);
    located.set(wanted.pointer, { ...member, value: { start, end } });
    return end;
  }
  function followInner(wanted: Wanted, start: number): number {
    const isObject = unitAt(start) === units.brace;
    let at = pastSpace(start + 1);
    for (let index = 0; at < text.length && !isClosing(unitAt(at)); index += 1) {
      const key = isObject ? { start: at, end: endOfString(text, at) + 1 } : undefined;
      if (key !== undefined) at = pastSpace(pastSpace(key.end) + 1);
      const inner = wanted.inner.get(key === undefined ? String(index) : nameOf(text.slice(key.start, key.end)));
      at = pastSpace(inner === undefined ? endOfValue(at) : follow(inner, at, key));
      if (unitAt(at) === units.comma) at = pastSpace(at + 1);
    }
    return at + 1;
  }
  follow(root, pastSpace(offset));
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function isOpening(unit: number): boolean {
  return unit === units.brace || unit === units.bracket;
}

function isClosing(unit: number): boolean {
  return unit === units.braceEnd || unit === units.bracketEnd;
}

function nameOf(key: string): string {
  return key.includes('\\') ? String(JSON.parse(key)) : key.slice(1, -1);
}

/** A value is located only if the values around it are. */
function forget({ pointer, inner }: Wanted, located: Map<string, Located>): void {
  if (!located.delete(pointer)) return;
  for (const wanted of inner.values()) forget(wanted, located);
}

/** Like `locateInJson`, for any text: readable parts are found. */
function locateTolerantly(text: string, root: Wanted, located: Map<string, Located>): void {
  const open: Container[] = [];
  let hasRoot = false;

  /** The value that begins, if it or something inside it is wanted. */
  function begin(): { readonly wanted: Wanted; readonly key?: TextRange } | undefined {
    const around = open.at(-1);
    if (around === undefined) {
      const wanted = hasRoot ? undefined : root;
      hasRoot = true;
      return wanted && { wanted };
    }
    const { key, name } = around;
    if (key === undefined) around.name = String(Number(name) + 1);
    const wanted = around.wanted?.inner.get(name);
    if (wanted === undefined) return undefined;
    forget(wanted, located);
    return { wanted, ...(key !== undefined && { key }) };
  }
  function beginContainer(start: number, isObject: boolean): boolean {
    const { wanted, key } = begin() ?? {};
    open.push({ wanted, start, own: key, key: isObject ? { start, end: start } : undefined, name: isObject ? '' : '0' });
    if (wanted !== undefined) located.set(wanted.pointer, { ...(key !== undefined && { key }), value: { start, end: start + 1 } });
    return wanted !== undefined && wanted.inner.size > 0;
  }
  function endContainer(offset: number, length: number): void {
    const { wanted, start, own } = open.pop() ?? {};
    if (wanted === undefined || start === undefined) return;
    located.set(wanted.pointer, { ...(own !== undefined && { key: own }), value: { start, end: offset + length } });
  }
  // The parser takes a byte order mark for a part of the following word.
  visit(text.replace(/^\ufeff/, ' '), {
    onObjectBegin: (offset) => beginContainer(offset, true),
    onObjectProperty(name, offset, length) {
      const around = open.at(-1);
      if (around !== undefined) Object.assign(around, { name, key: { start: offset, end: offset + length } });
    },
    onObjectEnd: endContainer,
    onArrayBegin: (offset) => beginContainer(offset, false),
    onArrayEnd: endContainer,
    onLiteralValue(_value, offset, length) {
      const { wanted, key } = begin() ?? {};
      if (wanted !== undefined)
        located.set(wanted.pointer, { ...(key !== undefined && { key }), value: { start: offset, end: offset + length } });
    },
  });
}

/** A value that is wanted, or contains one that is. */
interface Wanted {
  readonly pointer: string;
  isAsked: boolean;
  readonly inner: Map<string, Wanted>;
}

/** An unclosed object or list. */
interface Container {
  /** Undefined if nothing inside is wanted. */
  readonly wanted: Wanted | undefined;
  readonly start: number;
  /** Its key in the object around it. */
  readonly own: TextRange | undefined;
  /** Of an object: the key whose value comes next. */
  key: TextRange | undefined;
  /** The name or index of the value that comes next. */
  name: string;
}

/** The wanted values and those around them, by pointer. */
function wantedOf(pointers: Iterable<string>): ReadonlyMap<string, Wanted> {
  const all = new Map<string, Wanted>();
  const add = (pointer: string): Wanted => {
    const place = all.get(pointer);
    if (place !== undefined) return place;
    const wanted: Wanted = { pointer, isAsked: false, inner: new Map() };
    all.set(pointer, wanted);
    const around = parentPointer(pointer);
    if (around !== undefined) add(around).inner.set(segmentsOf(pointer).at(-1) ?? '', wanted);
    return wanted;
  };
  for (const pointer of pointers) add(pointer).isAsked = true;
  return all;
}

/** The pointer of the value around `pointer`, or undefined for the root. */
export function parentPointer(pointer: string): string | undefined {
  return pointer === '' ? undefined : pointer.slice(0, pointer.lastIndexOf('/'));
}
