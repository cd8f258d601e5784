import { type Json, type JsonObject, pointerOf } from '../json.js';
import type { Environment } from '../ports.js';
import type { LayerProblem, Origin } from './effective.js';
import { type Layered, originIn, type Path } from './layering.js';
import { settle } from './settle.js';

/** A field that no fragment decides by itself: a chosen profile, a fallback, a template. `origin` is that of the whole field. */
export interface Given {
  readonly value: Json;
  readonly origin: Origin;
}

export interface Assembled {
  /** Deeply frozen. */
  readonly config: JsonObject;
  /** Where a leaf of `config` is written. */
  readonly originAt: (path: Path) => Origin;
}

/** Puts the winning values together in a fixed order of fields, expanded and frozen; given fields win over layered ones. */
export function assemble(
  order: readonly string[],
  layered: Layered,
  given: ReadonlyMap<string, Given>,
  variables: Environment,
  report: (problem: LayerProblem) => void,
): Assembled {
  const originAt = originsOf(layered, given);
  const config: Record<string, Json> = {};
  for (const field of order) {
    const value = given.get(field)?.value ?? layered.values.get(field);
    const settled = value === undefined ? undefined : settle(value, field, { variables, originAt, report });
    if (settled !== undefined) config[field] = settled;
  }
  return { config: Object.freeze(config), originAt };
}

export function originsOf(layered: Layered, given: ReadonlyMap<string, Given>): (path: Path) => Origin {
  return (path) => {
    const origin = given.get(String(path[0]))?.origin;
    if (origin === undefined) return originIn(layered.giver(path), path);
    return path.length === 1 ? origin : { ...origin, pointer: origin.pointer + pointerOf(...path.slice(1)) };
  };
}
