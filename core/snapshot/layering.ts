import type { FieldForm } from '../generated/fields.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import type { Layer, Origin } from './effective.js';
import { type FieldTable, type FragmentKind, fits } from './fields.js';
import { mergePatch } from './mergePatch.js';

/** A part of one file (or of the call) that contributes fields to an effective config. */
export interface Fragment {
  readonly layer: Layer;
  /** Project path; null for built-in defaults and call overrides. */
  readonly file: string | null;
  /** Where `value` is in the file. */
  readonly pointer: string;
  readonly kind: FragmentKind;
  readonly value: JsonObject;
}

export type Path = readonly (string | number)[];

export interface Layered {
  /** The winning value of every field, as it is written. Fields that no layer gave, or that a null removed, are absent. */
  readonly values: ReadonlyMap<string, Json>;
  /** Fields that some fragment gives in an invalid form. The schema reports them; such a value is left out here. */
  readonly misfits: ReadonlySet<string>;
  /** The fragment that gives the leaf at a path, whose first segment is a field of `values`. */
  giver(path: Path): Fragment;
}

/**
 * Layers fragments, lowest first; the built-in defaults are the lowest. Each fragment is a JSON Merge Patch (RFC 7396)
 * on those below it; fields without `parts` are replaced whole.
 */
export function layerFragments(fragments: readonly [Fragment, ...Fragment[]], table: FieldTable): Layered {
  const defaults = fragments[0];
  const values = new Map<string, Json>();
  /** For fields that are replaced whole: the fragment that gave the winning value. */
  const givers = new Map<string, Fragment>();
  const misfits = new Set<string>();

  function restoreDefault(name: string, form: FieldForm): void {
    values.delete(name);
    const value = form.default === undefined ? undefined : defaults.value[name];
    if (value === undefined) return;
    values.set(name, value);
    givers.set(name, defaults);
  }

  for (const fragment of fragments) {
    const fields = table[fragment.kind];
    for (const name of Object.keys(fragment.value)) {
      const form = fields.get(name);
      const value = fragment.value[name];
      if (form === undefined || value === undefined) continue;
      if (value === null) restoreDefault(name, form);
      else if (!fits(form, value)) misfits.add(name);
      else if (form.parts === undefined || fragment === defaults) {
        values.set(name, value);
        givers.set(name, fragment);
      } else {
        const patch = partsThatFit(value as JsonObject, form.parts, () => misfits.add(name));
        const merged = mergePatch(values.get(name) ?? {}, patch);
        const restored = form.default === undefined ? undefined : defaults.value[name];
        values.set(name, restored === undefined ? merged : mergePatch(restored, merged));
      }
    }
  }

  const partsOf = (name: string) => (table.default.get(name) ?? table.llm.get(name))?.parts;
  return {
    values,
    misfits,
    giver(path) {
      const name = String(path[0]);
      const parts = partsOf(name);
      return parts === undefined ? (givers.get(name) ?? defaults) : mergedGiver(fragments, table, path, parts);
    },
  };
}

/** Where a path of an effective config is written, given the fragment it comes from. */
export function originIn(fragment: Fragment, path: Path): Origin {
  return { file: fragment.file, pointer: fragment.pointer + pointerOf(...path), layer: fragment.layer };
}

function mergedGiver(
  fragments: readonly [Fragment, ...Fragment[]],
  table: FieldTable,
  path: Path,
  parts: NonNullable<FieldForm['parts']>,
): Fragment {
  const name = String(path[0]);
  for (let index = fragments.length - 1; index > 0; index -= 1) {
    const fragment = fragments[index] as Fragment;
    if (!table[fragment.kind].has(name)) continue;
    const entry = written(fragment.value, path);
    // Removed here but still in the result: only a built-in default comes back after a removal.
    if (entry === 'removed') return fragments[0];
    if (entry === undefined || !partFits(parts, path, entry.value)) continue;
    return fragment;
  }
  return fragments[0];
}

/** What a fragment has at a path; undefined if it has nothing. A null removes, except inside an array, where it is a value. */
export function written(value: JsonObject, path: Path): { readonly value: Json } | 'removed' | undefined {
  let node: Json = value;
  let isInArray = false;
  for (const segment of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, segment)) return undefined;
    isInArray ||= Array.isArray(node);
    node = (node as { readonly [key: string | number]: Json })[segment] as Json;
    if (node === null && !isInArray) return 'removed';
  }
  return { value: node };
}

function partFits(parts: NonNullable<FieldForm['parts']>, path: Path, value: Json): boolean {
  if (parts === 'any') return true;
  // An empty object is a leaf of the field itself.
  if (path.length === 1) return isObject(value);
  const part = String(path[1]);
  const form = Object.hasOwn(parts, part) ? parts[part] : undefined;
  return form !== undefined && fits(form, value);
}

function partsThatFit(value: JsonObject, parts: NonNullable<FieldForm['parts']>, onMisfit: () => void): JsonObject {
  if (parts === 'any') return value;
  const fitting: Record<string, Json> = {};
  for (const [name, form] of Object.entries(parts)) {
    const part = Object.hasOwn(value, name) ? value[name] : undefined;
    if (part === undefined) continue;
    if (part === null || fits(form, part)) fitting[name] = part;
    else onMisfit();
  }
  return fitting;
}

/** A task as an orchestration writes it. */
export interface TaskSource {
  /** Path of the orchestration. */
  readonly path: string;
  /** Pointer of the task in it. */
  readonly pointer: string;
  readonly value: JsonObject;
}

/** What a task sets for its agent, lowest first: its type and persona, then its `config`. */
export function taskFragments({ path, pointer, value }: TaskSource): readonly Fragment[] {
  const head: Record<string, Json> = {};
  for (const field of ['agent_type', 'persona_key']) {
    const written = Object.hasOwn(value, field) ? value[field] : undefined;
    if (written !== undefined) head[field] = written;
  }
  const fragments: Fragment[] = [{ layer: 'task', file: path, pointer, kind: 'agent', value: head }];
  if (isObject(value.config))
    fragments.push({ layer: 'task', file: path, pointer: `${pointer}/config`, kind: 'agent', value: value.config });
  return fragments;
}
