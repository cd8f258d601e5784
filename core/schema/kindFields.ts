import { shapes } from '../generated/shapes.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';

const definitionsFile = 'definitions.schema.json';

/**
 * The names a kind's schema knows for the object at `segments`, in schema order, without `$schema` and `$ignore`; undefined where it
 * names none (free-form, a list).
 */
export function fieldsAt(kind: Kind, segments: readonly string[]): readonly string[] | undefined {
  const properties = schemaAt(kind, segments)?.properties;
  return isObject(properties) ? Object.keys(properties).filter((name) => !name.startsWith('$')) : undefined;
}

function schemaAt(kind: Kind, segments: readonly string[]): JsonObject | undefined {
  let schema = followed(shapes[kind === 'settings' ? 'agentstack' : kind]);
  for (const segment of segments) {
    if (schema === undefined) return undefined;
    const { properties, items, additionalProperties } = schema;
    if (isObject(properties) && Object.hasOwn(properties, segment)) schema = followed(properties[segment]);
    else if (isObject(items) && /^\d+$/.test(segment)) schema = followed(items);
    else schema = followed(additionalProperties);
  }
  return schema;
}

/** Follows `$ref`s, which in our schemas all lead to definitions, and the `then` in which a condition has its names. */
function followed(schema: Json | undefined): JsonObject | undefined {
  let current = schema;
  while (isObject(current)) {
    if (typeof current.$ref === 'string') current = definitionOf(current.$ref);
    else if (current.properties === undefined && isObject(current.then)) current = current.then;
    else return current;
  }
  return undefined;
}

function definitionOf(ref: string): Json | undefined {
  const [file, name] = ref.split('#/definitions/');
  if ((file !== '' && file !== definitionsFile) || name === undefined) throw new Error(`A $ref that schemas of ours do not use: ${ref}`);
  const definitions = shapes.definitions?.definitions;
  return isObject(definitions) ? definitions[name] : undefined;
}
