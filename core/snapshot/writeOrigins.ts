import { escapeSegment, type Json, type JsonObject } from '../json.js';
import type { Origin } from './effective.js';
import type { Path } from './layering.js';
import type { OriginSource, Place } from './origins.js';
import { sortKeys } from './sortKeys.js';

/** A part of a snapshot: none lies in another. */
export interface OriginPart {
  /** Where it stands in the snapshot. */
  readonly pointer: string;
  /** A part that is written at two places is the same value there, with the same source. */
  readonly value: Json;
  readonly source: OriginSource;
}

/**
 * The text of an origins file: canonical JSON of `{pointer of leaf: {file, layer, pointer}}`, for every leaf of every part. What many parts share is
 * written once, and repeated as text: a snapshot of hundreds of agents has megabytes of origins and very few different ones.
 */
export function writeOrigins(parts: readonly OriginPart[]): string {
  const uses = new Map<OriginSource, number>();
  for (const { source } of parts) uses.set(source, (uses.get(source) ?? 0) + 1);
  const sorted = parts.map((part) => ({ part, order: orderOf(part.pointer, part.value) })).sort(byOrder);
  const lines = createLines();
  const known = new Map<OriginSource, readonly string[]>();
  const text: string[] = [];
  for (const { part } of sorted) {
    const { pointer, value, source } = part;
    const start = `,"${quoted(pointer)}`;
    if (uses.get(source) === 1) {
      lines.write(part, start, text);
      continue;
    }
    let shared = known.get(source);
    if (shared === undefined) {
      const once: string[] = [];
      lines.write({ value, source }, '\n', once);
      shared = once.join('').split('\n').slice(1);
      known.set(source, shared);
    }
    for (const line of shared) text.push(start, line);
  }
  // The first line follows nothing.
  return `{${text.join('').slice(1)}}`;
}

interface Lines {
  /** Adds the lines of a part to a text; `start` is what stands before the pointer within the part. */
  write(part: Pick<OriginPart, 'value' | 'source'>, start: string, text: string[]): void;
}

function createLines(): Lines {
  const middles = new Map<Place, string>();
  const segments = new Map<string, Segment>();
  /** By value: the pointers of its leaves. */
  const known = new Map<object, readonly string[]>();

  function leavesOf(value: object): readonly string[] {
    let leaves = known.get(value);
    if (leaves === undefined) {
      const found: string[] = [];
      collectLeaves(value, '', found);
      known.set(value, found);
      leaves = found;
    }
    return leaves;
  }

  function collectLeaves(value: object, pointer: string, found: string[]): void {
    for (const key of keysInOrder(value, segments)) {
      const member = (value as JsonObject)[key] as Json;
      const way = pointer + segmentOf(key, segments).quoted;
      if (isLeaf(member)) found.push(way);
      else collectLeaves(member, way, found);
    }
  }

  /** Of an agent, a few places are those of nearly all its values. */
  function middleOf(place: Place): string {
    let middle = middles.get(place);
    if (middle === undefined) {
      middle = middleAt(place);
      middles.set(place, middle);
    }
    return middle;
  }

  function write(value: Json, path: Path, pointer: string, part: { source: OriginSource; start: string; text: string[] }): void {
    const { source, start, text } = part;
    if (!isLeaf(value) && !source.isWhole(path)) {
      for (const key of keysInOrder(value, segments))
        write((value as JsonObject)[key] as Json, [...path, key], pointer + segmentOf(key, segments).quoted, part);
      return;
    }
    const place = source.placeAround(path);
    const middle = place === undefined ? middleAt(source.originAt(path)) : middleOf(place);
    const there = place === undefined ? '' : pointer;
    if (isLeaf(value)) text.push(start + pointer + middle + there + lineEnd);
    else {
      const before = start + pointer;
      const between = middle + there;
      for (const leaf of leavesOf(value)) text.push(before, leaf, between, leaf, lineEnd);
    }
  }

  return { write: ({ value, source }, start, text) => write(value, [], '', { source, start, text }) };
}

const lineEnd = '"}';

/** What stands between the pointer of a leaf and the rest of the pointer of its origin. */
function middleAt({ file, layer, pointer }: Origin): string {
  return `":{"file":${JSON.stringify(file)},"layer":"${layer}","pointer":"${quoted(pointer)}`;
}

interface Segment {
  /** With its slash, as it stands in quotes. */
  readonly quoted: string;
  /** Whether pointers through it are in the order of the keys themselves, whatever is below. */
  readonly isPlain: boolean;
}

function segmentOf(key: string, segments: Map<string, Segment>): Segment {
  let segment = segments.get(key);
  if (segment === undefined) {
    segment = { quoted: quoted(`/${escapeSegment(key)}`), isPlain: /^\w*$/.test(key) };
    segments.set(key, segment);
  }
  return segment;
}

/** Keys so that the pointers of all leaves below them, one after the other, are in canonical order. */
function keysInOrder(value: object, segments: Map<string, Segment>): readonly string[] {
  const keys = Object.keys(value);
  if (keys.every((key) => segmentOf(key, segments).isPlain)) return sortKeys(keys);
  return keys
    .map((key) => ({ key, order: orderOf(`/${escapeSegment(key)}`, (value as JsonObject)[key] as Json) }))
    .sort(byOrder)
    .map(({ key }) => key);
}

/** `/a-b` lies before `/a/c`, and yet after `/a`. */
function orderOf(pointer: string, value: Json): string {
  return isLeaf(value) ? pointer : `${pointer}/`;
}

function byOrder({ order: left }: { readonly order: string }, { order: right }: { readonly order: string }): number {
  return left < right ? -1 : 1;
}

/** Also an empty object or array. */
function isLeaf(value: Json): value is null | boolean | number | string {
  if (typeof value !== 'object' || value === null) return true;
  for (const _ in value) return false;
  return true;
}

/** A text as it stands between the quotes of JSON. */
function quoted(text: string): string {
  return plain.test(text) ? text : JSON.stringify(text).slice(1, -1);
}

const plain = /^[\w/~@ .-]*$/;
