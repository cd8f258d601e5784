import { agentsOfSnapshot } from '../agent/load/agentsOfSnapshot.js';
import type { Agent } from '../agent/types.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import { originsIn } from '../snapshot/createSnapshot.js';
import type { Origin } from '../snapshot/effective.js';
import type { SnapshotValue } from '../snapshot/snapshotValue.js';
import type { DiffPlace } from './types.js';

/** A frozen agent or orchestration on one side: made from files, read from a file, or of a run. */
export interface ComparedSide {
  readonly side: 'before' | 'after';
  readonly value: SnapshotValue;
  readonly hash: string;
  readonly origins: ReadonlyMap<string, Origin>;
  /** By instance, with the requests that they send. */
  readonly agents: ReadonlyMap<string, Agent>;
}

export interface FrozenSource {
  readonly value: SnapshotValue;
  readonly text: string;
  readonly hash: string;
  readonly origins_text: string;
}

export function createSide(side: ComparedSide['side'], source: FrozenSource, schemas: SchemaCompiler): ComparedSide {
  const { value, hash } = source;
  const agents = agentsOfSnapshot(source, { schemas });
  return {
    side,
    value,
    hash,
    agents,
    // Read on request: most comparisons need none.
    get origins() {
      return originsIn(source);
    },
  };
}

/** The side that lacks what the other has: no agent, no server, no team. */
export function emptySide(side: ComparedSide['side'], { value }: ComparedSide): ComparedSide {
  const { orchestration: _teams, key_order: _order, ...others } = value;
  return { side, value: { ...others, agents: {}, llms: {}, servers: {} }, hash: '', origins: new Map(), agents: new Map() };
}

/** Where a value of the snapshot is written; undefined for built-in defaults, and where the origins are not known. */
export function placeOf({ side, origins }: ComparedSide, pointer: string): DiffPlace | undefined {
  // An object or a list is around its leaves.
  const leaf = origins.has(pointer) ? pointer : firstBelow(origins, `${pointer}/`);
  const origin = origins.get(leaf);
  if (origin?.file === undefined || origin.file === null) return undefined;
  const inside = leaf.slice(pointer.length);
  const isBelow = inside !== '' && origin.pointer.endsWith(inside);
  return { file: origin.file, pointer: isBelow ? origin.pointer.slice(0, -inside.length) : origin.pointer, side };
}

function firstBelow(origins: ReadonlyMap<string, Origin>, prefix: string): string {
  for (const key of origins.keys()) if (key.startsWith(prefix)) return key;
  return '';
}
