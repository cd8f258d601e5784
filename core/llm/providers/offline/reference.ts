import { isObject, type Json, type JsonObject, valueAt } from '../../../json.js';

export type Schema = JsonObject | boolean;

/**
 * The references a schema makes. A dynamic one is followed as a plain one, as when the answer is checked: in a single document the
 * two differ only where `$id`s nest.
 */
export function referencesOf({ $ref, $dynamicRef, $recursiveRef }: JsonObject): string[] {
  return [$ref, $dynamicRef, $recursiveRef].filter((each): each is string => typeof each === 'string');
}

/** What a local reference names: `#`, `#/json/pointer` or `#anchor`. Undefined when it names nothing. */
export function resolveReference(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  let fragment: string;
  try {
    fragment = decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
  const target = fragment === '' || fragment.startsWith('/') ? valueAt(root, fragment) : findAnchor(fragment, root);
  return isSchema(target) ? target : undefined;
}

export function isSchema(value: Json | undefined): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

function findAnchor(name: string, value: Json): JsonObject | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (isObject(value) && (value.$anchor === name || value.$dynamicAnchor === name || value.$id === `#${name}`)) return value;
  for (const part of Object.values(value)) {
    const found = findAnchor(name, part as Json);
    if (found !== undefined) return found;
  }
  return undefined;
}
