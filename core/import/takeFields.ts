import { foreignFieldsOf } from '../config/foreignFields.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import type { Kind } from '../kinds.js';
import { fieldsAt } from '../rules/support/kindFields.js';
import { listed, shown } from '../rules/support/words.js';
import type { Draft } from './draft.js';
import type { At } from './types.js';

/** Fields of ours that were found in an object of another tool. */
export interface TakenFields {
  readonly fields: Record<string, Json>;
  /** The place of each field in the source. */
  readonly from: Record<string, string>;
}

/**
 * Takes the fields of one kind of file from an object: those with our names, with names of other tools (`foreignNames`), and those in a group
 * (`llm: {...}`). Each field that remains is noted, with the advice that `advice` has for it. `null` there means no note.
 *
 * @param advice by key of the object
 */
export function takeFields(
  value: JsonObject,
  kind: Kind,
  at: At,
  draft: Draft,
  advice: Readonly<Record<string, string | null>> = {},
): TakenFields {
  const names = fieldsAt(kind, []) ?? [];
  const taken: TakenFields = { fields: {}, from: {} };
  const take = (field: string, found: Json, pointer: string) => {
    taken.fields[field] = nested(kind, field, found);
    taken.from[field] = at.pointer + pointer;
  };
  // Our own names win over those of other tools. Both call something `prompts`, which there holds texts.
  const isOwn = (key: string, part: Json) =>
    names.includes(key) && !Object.hasOwn(advice, key) && foreignFieldsOf({ [key]: part }, names).length === 0;
  for (const [key, part] of Object.entries(value)) if (isOwn(key, part) && part !== null) take(key, part, pointerOf(key));
  for (const [key, part] of Object.entries(value)) {
    if (isOwn(key, part)) continue;
    if (Object.hasOwn(advice, key)) {
      const words = advice[key];
      if (words) draft.note({ ...at, pointer: at.pointer + pointerOf(key) }, `${shown(key)} has no counterpart. ${words}`);
      continue;
    }
    if (part === null) continue;
    const rest = new Set(isObject(part) ? Object.keys(part).filter((inner) => part[inner] !== null) : []);
    let isTaken = false;
    for (const { field, from } of foreignFieldsOf({ [key]: part }, names)) {
      const found = valueAt(value, pointerOf(...from));
      const own = found === undefined ? undefined : converted(field, from.at(-1) ?? '', found);
      if (own === undefined || Object.hasOwn(taken.fields, field)) continue;
      take(field, own, pointerOf(...from));
      isTaken = true;
      if (from.length > 1) rest.delete(from.at(-1) ?? '');
      else rest.clear();
    }
    if (isTaken && rest.size === 0) continue;
    const what = isTaken ? listed([...rest].map((inner) => `${key}.${inner}`)) : shown(key);
    draft.note(
      { ...at, pointer: at.pointer + pointerOf(key) },
      `${what} ${rest.size > 1 && isTaken ? 'have' : 'has'} no counterpart and ${rest.size > 1 && isTaken ? 'are' : 'is'} left out.`,
    );
  }
  return taken;
}

/** A value in the unit of our field; undefined where that is not known. */
function converted(field: string, key: string, value: Json): Json | undefined {
  // Both count tries here: the first one, and as many again.
  if (field === 'retry_attempts' && key === 'max_retries') return typeof value === 'number' ? value + 1 : undefined;
  if (field === 'timeout_ms' && key === 'timeout') return undefined;
  return value;
}

/** `tracing: {sampleRate}` in our names. */
function nested(kind: Kind, field: string, value: Json): Json {
  const names = fieldsAt(kind, [field]);
  if (names === undefined || !isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, Json] => {
    const [found] = foreignFieldsOf({ [key]: part }, names);
    return [names.includes(key) || found === undefined ? key : found.field, part];
  });
  return Object.fromEntries(entries);
}
