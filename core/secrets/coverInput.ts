import { isObject, type Json, pointerOf } from '../json.js';
import type { KnownSecrets } from '../ports.js';
import { coverAll, coverText } from './coverValue.js';

/** What a run is given to work with. */
export interface CoveredInput<Value> {
  /** Without secrets; the value itself where it holds none. */
  readonly value: Value;
  /** Where they were, as JSON Pointers, for the log. */
  readonly places: readonly string[];
}

/** What the log says (`warn`) of an input that held any, with their `places`. */
export const inputCovered = 'the input holds what looks like a secret, and the run works with it covered';

/** The input of a run that is kept, which works with what it keeps: every secret in it is covered. */
export function coverInput<Value extends object>(input: Value, known: KnownSecrets | undefined): CoveredInput<Value> {
  const value = coverAll(input, known);
  if (value === input) return { value, places: [] };
  // Plain objects, lists and texts, as all that can be covered.
  const places = [...differences(input as Json, value as Json, '')];
  return { value, places: places.map((place) => coverText(place, known)) };
}

/** What is covered keeps its shape, so both are walked together. */
function* differences(before: Json | undefined, after: Json | undefined, path: string): Generator<string> {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after))
    for (const [index, item] of before.entries()) yield* differences(item, after[index], `${path}/${index}`);
  else if (isObject(before) && isObject(after))
    for (const name of Object.keys(before)) yield* differences(before[name], after[name], path + pointerOf(name));
  else yield path;
}
