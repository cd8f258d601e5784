import { escapeSegment, type Json, type JsonObject } from '../json.js';
import type { Origin } from './effective.js';
import type { Path } from './layering.js';

/** A part of a file, or of what a call brings: the pointer is its own. */
export type Place = Origin;

/** Where the values of a config are written. */
export interface OriginSource {
  /** Of a leaf, and of any value that is written in one place. */
  readonly originAt: (path: Path) => Origin;
  /** Whether all there is at a path is written in one place, so that its leaves stand there as they stand in it. */
  readonly isWhole: (path: Path) => boolean;
  /** The place in which a leaf, or what is whole, has the path that it has here; undefined where it is written under another. */
  readonly placeAround: (path: Path) => Place | undefined;
}

/** Calls `visit` for every leaf of a value: scalars, empty objects and empty arrays. At most as deep as a config file. */
export function forEachLeaf(value: Json, visit: (pointer: string, path: Path) => void): void {
  walk(value, '', [], visit);
}

function walk(value: Json, pointer: string, path: (string | number)[], visit: (pointer: string, path: Path) => void): void {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.length === 0) {
    visit(pointer, path);
    return;
  }
  for (const key of keys) {
    path.push(key);
    walk((value as JsonObject)[key] as Json, `${pointer}/${escapeSegment(key)}`, path, visit);
    path.pop();
  }
}

/** The origin of every leaf of an effective config. */
export function leafOrigins(config: object, { originAt }: Pick<OriginSource, 'originAt'>): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  forEachLeaf(config as JsonObject, (pointer, path) => {
    if (path.length > 0) origins.set(pointer, originAt(path));
  });
  return origins;
}
