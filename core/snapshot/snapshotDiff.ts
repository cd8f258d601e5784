import { escapeSegment, isObject, type Json, type JsonObject, pointerOf, segmentsOf, valueAt } from '../json.js';
import { isEqual } from '../jsonText/jsonCompare.js';
import { coverField } from '../secrets/secretPatterns.js';
import { type Layer, layers, type Origin } from './effective.js';
import { forEachLeaf } from './origins.js';
import type { SnapshotValue } from './snapshotValue.js';

/** A snapshot and where its values were written: from a run or a file, or just created. */
export interface DiffSide {
  readonly value: SnapshotValue;
  /** Pointer of every leaf but `key_order` to its origin. A change with an unknown origin is reported without a cause. */
  readonly origins: ReadonlyMap<string, Origin>;
}

/**
 * Why a value differs. `value`: the same place of the same file has another value (or a variable in it has). `other-file`: another file of the
 * same layer is used, such as another persona. `layer-wins`: a higher layer now gives it. `layer-gone`: the layer that gave it no longer does, and
 * a lower one applies. `added`, `removed`: only one side has it. `order`: the same keys in another order, which prompts follow.
 */
export type DiffCause = 'value' | 'other-file' | 'layer-wins' | 'layer-gone' | 'added' | 'removed' | 'order';

export interface LeafChange {
  /** In the snapshots. */
  readonly pointer: string;
  /** Absent if that side has no value. Secrets are covered. */
  readonly before?: Json;
  readonly after?: Json;
  readonly origin_before: Origin | null;
  readonly origin_after: Origin | null;
}

/** Everything that one file, at one layer, changed in one way. */
export interface DiffGroup {
  readonly cause: DiffCause;
  /** The file that caused the change; for a removed value, the one that had it. Null for built-in defaults, the call and snapshots' own members. */
  readonly file: string | null;
  readonly layer: Layer | null;
  readonly changes: readonly LeafChange[];
}

/** The differences between two snapshots, by cause. Empty if their bytes are the same. A mere change of origin is not a difference. */
export function snapshotDiff(before: DiffSide, after: DiffSide): readonly DiffGroup[] {
  const leavesBefore = leavesOf(before, after.value, 'before');
  const leavesAfter = leavesOf(after, before.value, 'after');
  const groups = new Map<string, DiffGroup & { readonly changes: LeafChange[] }>();
  const add = (cause: DiffCause, origin: Origin | null, change: LeafChange) => {
    const { file = null, layer = null } = origin ?? {};
    const key = JSON.stringify([file, layer, cause]);
    const group = groups.get(key) ?? { cause, file, layer, changes: [] };
    group.changes.push(change);
    groups.set(key, group);
  };

  for (const pointer of [...new Set([...leavesBefore.keys(), ...leavesAfter.keys()])].sort()) {
    const change = changeAt(pointer, leavesBefore.get(pointer), leavesAfter.get(pointer), before, after);
    if (change !== undefined) add(...change);
  }
  for (const { pointer, keys, otherKeys } of reordered(before.value, after.value)) {
    const origin = originBelow(after.origins, pointer);
    add('order', origin, {
      pointer,
      before: keys,
      after: otherKeys,
      origin_before: originBelow(before.origins, pointer),
      origin_after: origin,
    });
  }
  return [...groups.values()].sort((group, other) => (orderOf(group) < orderOf(other) ? -1 : 1));
}

interface Leaf {
  readonly value: Json;
  readonly origin: Origin | null;
}

/**
 * The leaves of a side in members that differ. Connections are compared by the agents that use them: a shared one is compared under an agent's own
 * key if the other side has such a key; and if a profile was replaced, the old one is compared with the new one.
 */
function leavesOf({ value, origins }: DiffSide, other: SnapshotValue, side: 'before' | 'after'): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  // A snapshot is JSON by construction.
  const [root, opposite] = [value, other] as unknown as readonly [JsonObject, JsonObject];
  const { key_order: _order, ...content } = differing(root, opposite);
  forEachLeaf({ ...content, llms: root.llms as Json }, (pointer, [part]) => {
    const isOwn = part === 'environment' || part === 'format' || part === 'kind';
    leaves.set(pointer, { value: valueAt(root, pointer) ?? null, origin: isOwn ? null : (origins.get(pointer) ?? null) });
  });
  for (const key of Object.keys(other.llms).filter((name) => !Object.hasOwn(value.llms, name))) {
    const user = Object.keys(value.agents).find((instance) => llmKey(other, instance) === key);
    const ownKey = user === undefined ? undefined : llmKey(value, user);
    if (ownKey === undefined) continue;
    const isReplaced = !Object.hasOwn(other.llms, ownKey);
    if (isReplaced ? side === 'after' : !key.startsWith('@')) continue;
    const prefix = pointerOf('llms', ownKey);
    for (const [pointer, leaf] of [...leaves]) {
      if (!pointer.startsWith(`${prefix}/`)) continue;
      if (isReplaced) leaves.delete(pointer);
      leaves.set(pointerOf('llms', key) + pointer.slice(prefix.length), leaf);
    }
  }
  return leaves;
}

/** The members of `value` that are not the same in `other`. Lists are the same or not as a whole. */
function differing(value: JsonObject, other: JsonObject): JsonObject {
  const members = Object.entries(value).flatMap(([key, member]): (readonly [string, Json])[] => {
    const opposite = Object.hasOwn(other, key) ? other[key] : undefined;
    if (opposite !== undefined && isEqual(member, opposite)) return [];
    if (!isObject(member) || !isObject(opposite) || isEmpty(opposite)) return [[key, member]];
    const inside = differing(member, opposite);
    return isEmpty(inside) && !isEmpty(member) ? [] : [[key, inside]];
  });
  return Object.fromEntries(members);
}

function llmKey({ agents, llms }: SnapshotValue, instance: string): string | undefined {
  const keys = [`@${instance}`, Object.hasOwn(agents, instance) ? agents[instance]?.llm_config_id : undefined];
  return keys.find((key) => key !== undefined && Object.hasOwn(llms, key));
}

function changeAt(
  pointer: string,
  before: Leaf | undefined,
  after: Leaf | undefined,
  left: DiffSide,
  right: DiffSide,
): [DiffCause, Origin | null, LeafChange] | undefined {
  // A list item is named by the key of its list.
  const key = segmentsOf(pointer).findLast((segment) => !/^\d+$/.test(segment)) ?? '';
  const change: LeafChange = {
    pointer,
    ...(before && { before: covered(before.value, key) }),
    ...(after && { after: covered(after.value, key) }),
    origin_before: before?.origin ?? null,
    origin_after: after?.origin ?? null,
  };
  if (before !== undefined && after !== undefined)
    return isSame(before.value, after.value)
      ? undefined
      : [causeOf(before.origin, after.origin), deciding(before.origin, after.origin), change];
  // An empty list or object that now has members is reported by those members.
  const elsewhere = valueAt((before === undefined ? left : right).value as unknown as JsonObject, pointer);
  if (typeof elsewhere === 'object' && elsewhere !== null && isEmpty((before ?? after)?.value)) return undefined;
  return before === undefined ? ['added', after?.origin ?? null, change] : ['removed', before.origin, change];
}

function causeOf(before: Origin | null, after: Origin | null): DiffCause {
  if (before === null || after === null) return 'value';
  const step = layers.indexOf(after.layer) - layers.indexOf(before.layer);
  if (step !== 0) return step > 0 ? 'layer-wins' : 'layer-gone';
  return before.file === after.file ? 'value' : 'other-file';
}

/** The origin that caused the change: if a layer no longer gives the value, that layer. */
function deciding(before: Origin | null, after: Origin | null): Origin | null {
  return causeOf(before, after) === 'layer-gone' ? before : after;
}

/** Objects with the same keys in another order. Keys that `key_order` does not name are in canonical order. */
function reordered(
  before: SnapshotValue,
  after: SnapshotValue,
): readonly { pointer: string; keys: readonly string[]; otherKeys: readonly string[] }[] {
  const pointers = [...new Set([...Object.keys(before.key_order ?? {}), ...Object.keys(after.key_order ?? {})])].sort();
  return pointers.flatMap((pointer) => {
    const keys = keysAt(before, pointer);
    const otherKeys = keysAt(after, pointer);
    const hasSame = keys !== undefined && otherKeys !== undefined && isSame([...keys].sort(), [...otherKeys].sort());
    return hasSame && !isSame(keys, otherKeys) ? [{ pointer, keys, otherKeys }] : [];
  });
}

function keysAt({ key_order = {}, ...value }: SnapshotValue, pointer: string): readonly string[] | undefined {
  if (Object.hasOwn(key_order, pointer)) return key_order[pointer];
  const part = valueAt(value as unknown as JsonObject, pointer);
  return typeof part === 'object' && part !== null ? Object.keys(part).sort() : undefined;
}

function originBelow(origins: ReadonlyMap<string, Origin>, pointer: string): Origin | null {
  for (const [leaf, origin] of origins) if (leaf.startsWith(`${pointer}/`)) return origin;
  return null;
}

function covered(value: Json, key: string): Json {
  return typeof value === 'string' ? coverField(value, key) : value;
}

function isSame(left: Json, right: Json): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function isEmpty(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Groups about files first, in their order; among those of one file, layers from the lowest. */
function orderOf({ file, layer, cause }: DiffGroup): string {
  return JSON.stringify([file === null ? '~' : escapeSegment(file), layer === null ? 0 : layers.indexOf(layer), cause]);
}
