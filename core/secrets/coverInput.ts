import { isObject, type Json, pointerOf } from '../json.js';
import type { KnownSecrets } from '../ports.js';
import { coverAll, coverText } from './coverValue.js';

/** The input that a run works with. */
export interface CoveredInput<Value> {
  /** Without secrets; the value itself if it holds none. */
  readonly value: Value;
  /** Where the secrets were, as JSON Pointers, for the log. */
  readonly places: readonly string[];
}

/** The log message (`warn`) for an input that held secrets, with their `places`. */
export const inputCovered = 'the input holds what looks like a secret, and the run works with it covered';

/** The input of a recorded run, which works with the recorded input: every secret in it is covered. */
export function coverInput<Value extends object>(input: Value, knownSecrets: KnownSecrets | undefined): CoveredInput<Value> {
  const value = coverAll(input, knownSecrets);
  if (value === input) return { value, places: [] };
  // Plain objects, lists and texts, like everything that can be covered.
  const places = [...differences(input as Json, value as Json, '')];
  return { value, places: places.map((place) => coverText(place, knownSecrets)) };
}

/** Covered values keep their shape, so both are traversed together. */
function* differences(before: Json | undefined, after: Json | undefined, path: string): Generator<string> {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after))
    for (const [index, item] of before.entries()) yield* differences(item, after[index], `${path}/${index}`);
  else if (isObject(before) && isObject(after))
    for (const name of Object.keys(before)) yield* differences(before[name], after[name], path + pointerOf(name));
  else yield path;
}
