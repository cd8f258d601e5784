import { isObject, type Json, type JsonObject } from '../../json.js';
import { findGiven, type Layers } from './layers.js';

/** What the input of an agent has for certain, or may have; undefined when it says nothing about its input, or allows what it does not name. */
export function inputKeysOf(stack: Layers): ReadonlySet<string> | undefined {
  return inputKeys(findGiven(stack, 'input_keys')?.value, findGiven(stack, 'input_schema')?.value);
}

function inputKeys(listed: Json | undefined, schema: Json | undefined): ReadonlySet<string> | undefined {
  const keys = stringsIn(listed);
  const properties = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : undefined;
  if (keys === undefined && properties === undefined) return undefined;
  if (isObject(schema) && mayAddKeys(schema)) return undefined;
  return new Set([...(keys ?? []), ...(properties ?? [])]);
}

/** Keywords that name keys in ways that are not worth following here. */
function mayAddKeys(schema: JsonObject): boolean {
  return ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas'].some((keyword) =>
    Object.hasOwn(schema, keyword),
  );
}

function stringsIn(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
