import { type Json, type JsonObject, pointerOf } from '../json.js';
import type { Origin } from './effective.js';
import { type Layered, originIn, type Path } from './layering.js';
import type { OriginSource } from './origins.js';
import { type Settling, settle } from './settle.js';

/** A field that no fragment decides by itself: a chosen profile, a fallback, a template. `origin` is that of the whole field. */
export interface Given {
  readonly value: Json;
  readonly origin: Origin;
}

/** The config, and where each of its leaves is written. */
export interface Assembled extends OriginSource {
  /** Deeply frozen. */
  readonly config: JsonObject;
}

/** Puts the winning values together in a fixed order of fields, expanded and frozen; given fields win over layered ones. */
export function assemble(
  order: readonly string[],
  layered: Layered,
  given: ReadonlyMap<string, Given>,
  settling: Omit<Settling, 'originAt'>,
): Assembled {
  const originAt = originsOf(layered, given);
  const ofConfig = { ...settling, originAt };
  const config: Record<string, Json> = {};
  for (const field of order) {
    const value = given.get(field)?.value ?? layered.values.get(field);
    const settled = value === undefined ? undefined : settle(value, field, ofConfig);
    if (settled !== undefined) config[field] = settled;
  }
  return {
    config: Object.freeze(config),
    originAt,
  };
}

export function originsOf(layered: Layered, decided: ReadonlyMap<string, Given>): (path: Path) => Origin {
  return (path) => {
    const origin = decided.get(String(path[0]))?.origin;
    if (origin === undefined) return originIn(layered.giver(path), path);
    return path.length === 1 ? origin : { ...origin, pointer: origin.pointer + pointerOf(...path.slice(1)) };
  };
}
