import { isObject, type Json, type JsonObject } from '../json.js';

/**
 * JSON Merge Patch (RFC 7396): objects merge, everything else replaces, `null` removes; 0, false and "" are values. Neither
 * argument is changed; parts that the patch does not change are shared with the target. `__proto__` is a key like any other. Both values
 * may be nested at most as deep as a config file (200 levels).
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, Json>(isObject(target) ? Object.entries(target) : undefined);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return toObject(merged);
}

/** `Object.fromEntries` defines properties rather than setting them, so no key can reach the prototype. */
function toObject(entries: Map<string, Json>): JsonObject {
  return Object.fromEntries(entries);
}
