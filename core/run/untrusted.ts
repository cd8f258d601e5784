import { isObject, type Json, type JsonObject } from '../json.js';

// Reading objects that may say anything: what is not there, or not of the kind, is absent. Own members only.

export function ownAt(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Empty when there is none. */
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
