import { isObject, type JsonObject, pointerOf } from '../json.js';
import { type Layer, layers, type Origin } from './effective.js';
import type { Path } from './layering.js';

/** The origins file of a snapshot, parsed on first access. Damaged parts are left out: a run does not need them. */
export interface SnapshotOrigins {
  /** Pointer of every leaf of the snapshot to its origin. */
  all(): ReadonlyMap<string, Origin>;
  /** The origins of the leaves below `/{part}/{name}`, by their pointers relative to it. */
  below(part: string, name: string): ReadonlyMap<string, Origin>;
  /** The place that contains a leaf `levels` deep; null if it is in no file. */
  placeAround(leaf: Path, levels: number): { readonly file: string; readonly pointer: string } | null;
  /** Every file named, without duplicates. */
  files(): readonly string[];
}

/** @param load called at most once */
export function readOrigins(load: () => ReadonlyMap<string, Origin>): SnapshotOrigins {
  let read: ReadonlyMap<string, Origin> | undefined;
  let grouped: ReadonlyMap<string, ReadonlyMap<string, Origin>> | undefined;
  const all = () => {
    read ??= load();
    return read;
  };
  return {
    all,
    below(part, name) {
      grouped ??= group(all());
      return grouped.get(pointerOf(part, name)) ?? none;
    },
    placeAround(leaf, levels) {
      const { file = null, pointer = '' } = all().get(pointerOf(...leaf)) ?? {};
      const inside = pointerOf(...leaf.slice(leaf.length - levels));
      return file === null || !pointer.endsWith(inside) ? null : { file, pointer: pointer.slice(0, pointer.length - inside.length) };
    },
    files: () => [...new Set([...all().values()].flatMap(({ file }) => (file === null ? [] : [file])))],
  };
}

const none: ReadonlyMap<string, Origin> = new Map();

export function parseOrigins(text: string): ReadonlyMap<string, Origin> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return none;
  }
  return new Map(
    isObject(value) ? Object.entries(value).filter((entry): entry is [string, JsonObject & Origin] => isOrigin(entry[1])) : [],
  );
}

function isOrigin(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { file, pointer, layer } = value;
  return (file === null || typeof file === 'string') && typeof pointer === 'string' && layers.includes(layer as Layer);
}

function group(origins: ReadonlyMap<string, Origin>): ReadonlyMap<string, ReadonlyMap<string, Origin>> {
  const groups = new Map<string, Map<string, Origin>>();
  for (const [pointer, origin] of origins) {
    const first = pointer.indexOf('/', 1);
    const second = first < 0 ? -1 : pointer.indexOf('/', first + 1);
    if (second < 0) continue;
    const prefix = pointer.slice(0, second);
    const inGroup = groups.get(prefix) ?? new Map<string, Origin>();
    groups.set(prefix, inGroup.set(pointer.slice(second), origin));
  }
  return groups;
}
