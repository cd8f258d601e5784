import { isObject, type Json, type JsonObject, valueAt } from '../../../json.js';

export type Schema = JsonObject | boolean;

/** What a local `$ref` names: `#`, `#/json/pointer` or `#anchor`. Undefined when it names nothing. */
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
  if (isObject(value) && (value.$anchor === name || value.$id === `#${name}`)) return value;
  for (const part of Object.values(value)) {
    const found = findAnchor(name, part as Json);
    if (found !== undefined) return found;
  }
  return undefined;
}
