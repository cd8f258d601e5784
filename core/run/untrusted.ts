import { isObject, type Json, type JsonObject } from '../json.js';

// Reading untrusted objects: a member that is missing or of another type is absent. Own members only.

export function ownAt(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Empty if absent. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = ownAt(object, key);
  return isObject(value) ? value : {};
}

/** Its items that are objects. */
export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = ownAt(object, key);
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textAt(object: JsonObject, key: string): string | null {
  const value = ownAt(object, key);
  return typeof value === 'string' ? value : null;
}

export function numberAt(object: JsonObject, key: string): number | null {
  const value = ownAt(object, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
