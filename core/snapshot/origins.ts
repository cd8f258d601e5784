import { escapeSegment, type Json, type JsonObject } from '../json.js';
import type { Origin } from './effective.js';
import type { Path } from './layering.js';

/** Where the values of a config are written. */
export interface OriginSource {
  /** The origin of a leaf, or of any value that is written in one place. */
  readonly originAt: (path: Path) => Origin;
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
export function leafOrigins(config: object, { originAt }: OriginSource): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  forEachLeaf(config as JsonObject, (pointer, path) => {
    if (path.length > 0) origins.set(pointer, originAt(path));
  });
  return origins;
}
