import type { Json, JsonObject } from '../json.js';
import { shown } from '../rules/support/words.js';
import { type Draft, within } from './draft.js';
import type { At } from './types.js';

export interface LostFields {
  /** Fields that have a counterpart. All others are noted. Default: only those with advice are noted. */
  readonly kept?: ReadonlySet<string>;
  /** What to do instead, by field. */
  readonly advice?: Readonly<Record<string, string>>;
  /** What the object is, for the message: `a team`. */
  readonly of?: string;
}

/** Notes the fields of an object that have no counterpart. Fields that are empty or switched off are not noted. */
export function noteLost(value: JsonObject, at: At, draft: Draft, { kept, advice = {}, of }: LostFields): void {
  for (const [key, part] of Object.entries(value)) {
    const words = Object.hasOwn(advice, key) ? advice[key] : undefined;
    if (isEmpty(part) || (words === undefined && (kept === undefined || kept.has(key)))) continue;
    const what = of === undefined ? shown(key) : `${shown(key)} of ${of}`;
    draft.note(
      within(at, key),
      words === undefined ? `${what} has no counterpart and is left out.` : `${what} has no counterpart. ${words}`,
    );
  }
}

function isEmpty(value: Json): boolean {
  return value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
}
