import { isObject, type Json, type JsonObject } from './json.js';

/**
 * A copy of an object with one value set at a path; what lies on the way and is not an object becomes one. Keys such as
 * `__proto__` are ordinary names.
 */
export function setAt(root: JsonObject, [key, ...rest]: readonly string[], value: Json): JsonObject {
  if (key === undefined) return root;
  const entries = new Map(Object.entries(root));
  const inner = entries.get(key);
  entries.set(key, rest.length === 0 ? value : setAt(isObject(inner) ? inner : {}, rest, value));
  // Unlike assignment, `fromEntries` defines `__proto__` as an own property.
  return Object.fromEntries(entries);
}
