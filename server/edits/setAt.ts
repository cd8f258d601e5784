import { isObject, type Json, type JsonObject } from '../../core/json.js';

/** A copy of an object with a value at a path; what lies on the way and is no object becomes one. `__proto__` is a key like any other. */
export function setAt(root: JsonObject, [key, ...rest]: readonly string[], value: Json): JsonObject {
  if (key === undefined) return root;
  const entries = new Map(Object.entries(root));
  const inner = entries.get(key);
  entries.set(key, rest.length === 0 ? value : setAt(isObject(inner) ? inner : {}, rest, value));
  return Object.fromEntries(entries);
}
