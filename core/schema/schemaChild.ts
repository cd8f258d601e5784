import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import type { OutputContract } from './outputContract.js';

/** The schema of a key of an object. */
export interface SchemaChild {
  /** A lower bound of the requirements for the key's value; false when the key is not allowed. */
  readonly schema: Json;
  readonly required: boolean;
  /** Whether the schema names the key, or explicitly allows any key. */
  readonly declared: boolean;
}

/** Longest chain of references and alternatives that is followed. */
const deepest = 16;
const anything: SchemaChild = { schema: true, required: false, declared: true };

/** A schema with its `$ref` followed; `true`, which allows anything, where it dangles. */
export function resolved(contract: OutputContract, schema: Json): Json {
  return isObject(schema) && schema.$ref !== undefined ? (contract.follow({ schema, pointer: '' })?.schema ?? true) : schema;
}

/** The schema of `key` in objects of a schema. Keywords that are not followed only widen the result. */
export function childOf(contract: OutputContract, schema: Json, key: string, depth = 0): SchemaChild {
  if (!isObject(schema) || depth > deepest) return schema === false ? { schema: false, required: false, declared: false } : anything;
  const child = ownChild(schema, key);
  const isRequired = listOf(schema.required).includes(key);
  const { $ref, allOf, anyOf, oneOf } = schema;
  if ($ref === undefined && allOf === undefined && anyOf === undefined && oneOf === undefined) {
    return { schema: child?.schema ?? true, required: isRequired, declared: child?.declared ?? true };
  }
  const every = [...($ref === undefined ? [] : [resolved(contract, schema)]), ...listOf(allOf)].map((part) =>
    childOf(contract, part, key, depth + 1),
  );
  const some = [...listOf(anyOf), ...listOf(oneOf)].map((part) => childOf(contract, part, key, depth + 1));
  const required = isRequired || every.some((part) => part.required) || (some.length > 0 && some.every((part) => part.required));
  if (child !== undefined && (child.schema !== true || (every.length === 0 && some.length === 0))) return { ...child, required };
  const firstPart = every.find((part) => part.schema !== true) ?? every[0];
  if (firstPart !== undefined) return { schema: firstPart.schema, required, declared: every.some((part) => part.declared) };
  if (some.length > 0)
    return { schema: { anyOf: some.map((part) => part.schema) }, required, declared: some.some((part) => part.declared) };
  return { ...anything, required };
}

/** The schema of a key by the object's own keywords; undefined when they do not restrict it. */
function ownChild(schema: JsonObject, key: string): Omit<SchemaChild, 'required'> | undefined {
  const { properties, patternProperties, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, key)) return { schema: properties[key] as Json, declared: true };
  if (isObject(patternProperties)) return { schema: true, declared: true };
  if (additionalProperties === false) return { schema: false, declared: false };
  if (additionalProperties !== undefined) return { schema: additionalProperties, declared: true };
  // Most schemas leave additionalProperties out and mean only the listed fields, but an answer may still have others.
  return isObject(properties) ? { schema: true, declared: false } : undefined;
}

/** The field names that an object schema lists. */
export function namesIn(contract: OutputContract, schema: Json, depth = 0): readonly string[] {
  const followed = resolved(contract, schema);
  if (!isObject(followed) || depth > deepest) return [];
  const parts = [...listOf(followed.allOf), ...listOf(followed.anyOf), ...listOf(followed.oneOf)];
  const names = isObject(followed.properties) ? Object.keys(followed.properties) : [];
  return [...new Set([...names, ...parts.flatMap((part) => namesIn(contract, part, depth + 1))])];
}
