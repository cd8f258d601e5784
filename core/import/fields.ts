import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import type { Kind } from '../kinds.js';
import { foreignFieldsOf, inOurUnit } from '../otherTools/fieldNames.js';
import type { At, Draft, LostFields, TakenFields } from '../otherTools/types.js';
import { within } from '../otherTools/values.js';
import { fieldsAt } from '../schema/kindFields.js';
import { listed, quoted } from '../words.js';

export function takeFields(
  value: JsonObject,
  kind: Kind,
  at: At,
  advice: Readonly<Record<string, string | null>>,
  draft: Pick<Draft, 'note'>,
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
      if (words) draft.note({ ...at, pointer: at.pointer + pointerOf(key) }, `${quoted(key)} has no counterpart. ${words}`);
      continue;
    }
    if (part === null) continue;
    const rest = new Set(isObject(part) ? Object.keys(part).filter((inner) => part[inner] !== null) : []);
    let isTaken = false;
    for (const { field, from } of foreignFieldsOf({ [key]: part }, names)) {
      const written = valueAt(value, pointerOf(...from));
      const own = written === undefined ? undefined : inOurUnit(from.at(-1) ?? '', field, written);
      if (own === undefined || Object.hasOwn(taken.fields, field)) continue;
      take(field, own, pointerOf(...from));
      isTaken = true;
      if (from.length > 1) rest.delete(from.at(-1) ?? '');
      else rest.clear();
    }
    if (isTaken && rest.size === 0) continue;
    const what = isTaken ? listed([...rest].map((inner) => `${key}.${inner}`)) : quoted(key);
    draft.note(
      { ...at, pointer: at.pointer + pointerOf(key) },
      `${what} ${rest.size > 1 && isTaken ? 'have' : 'has'} no counterpart and ${rest.size > 1 && isTaken ? 'are' : 'is'} left out.`,
    );
  }
  return taken;
}

/** `tracing: {sampleRate}` in our names. */
function nested(kind: Kind, field: string, value: Json): Json {
  const names = fieldsAt(kind, [field]);
  if (names === undefined || !isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, Json] => {
    const [renamed] = foreignFieldsOf({ [key]: part }, names);
    return [names.includes(key) || renamed === undefined ? key : renamed.field, part];
  });
  return Object.fromEntries(entries);
}

export function noteLost(value: JsonObject, at: At, { kept, advice = {}, of }: LostFields, draft: Pick<Draft, 'note'>): void {
  for (const [key, part] of Object.entries(value)) {
    const words = Object.hasOwn(advice, key) ? advice[key] : undefined;
    if (isEmpty(part) || (words === undefined && (kept === undefined || kept.has(key)))) continue;
    const what = of === undefined ? quoted(key) : `${quoted(key)} of ${of}`;
    draft.note(
      within(at, key),
      words === undefined ? `${what} has no counterpart and is left out.` : `${what} has no counterpart. ${words}`,
    );
  }
}

function isEmpty(value: Json): boolean {
  return value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
}
