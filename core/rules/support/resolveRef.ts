import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../json.js';
import { visitSchemas } from './visitSchemas.js';

/** A schema inside a schema. */
export interface SchemaPlace {
  readonly schema: Json;
  /** JSON pointer from the root schema. */
  readonly pointer: string;
}

/** What a local `$ref` (`#`, `#/$defs/x`, `#anchor`) leads to, or undefined: remote, or nothing there. */
export function resolveRef(root: JsonObject, ref: string): SchemaPlace | undefined {
  if (!ref.startsWith('#')) return undefined;
  const pointer = decode(ref.slice(1));
  if (pointer === undefined) return undefined;
  if (pointer !== '' && !pointer.startsWith('/')) return findAnchor(root, pointer);
  const schema = valueAt(root, pointer);
  return isObject(schema) || typeof schema === 'boolean' ? { schema, pointer } : undefined;
}

/** Follows `$ref` from a schema to the first one without, or undefined when that never comes. */
export function followRefs(root: JsonObject, start: SchemaPlace): SchemaPlace | undefined {
  let place = start;
  let seen: Set<string> | undefined;
  while (isObject(place.schema) && typeof place.schema.$ref === 'string') {
    seen ??= new Set();
    if (seen.has(place.schema.$ref)) return undefined;
    seen.add(place.schema.$ref);
    const next = resolveRef(root, place.schema.$ref);
    if (next === undefined) return undefined;
    place = next;
  }
  return place;
}

function findAnchor(root: JsonObject, name: string): SchemaPlace | undefined {
  let found: SchemaPlace | undefined;
  visitSchemas(root, (schema, path) => {
    if (schema.$anchor !== name && schema.$id !== `#${name}`) return false;
    found = { schema, pointer: pointerOf(...path) };
    return true;
  });
  return found;
}

function decode(fragment: string): string | undefined {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray percent sign: no such place.
    return undefined;
  }
}
