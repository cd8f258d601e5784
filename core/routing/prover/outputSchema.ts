import { isObject, type Json, type JsonObject, listOf, valueAt } from '../../json.js';
import type { SchemaCompiler } from '../../schema/schemaCompiler.js';
import { fitsSimply } from '../../schema/simpleSchema.js';

/** What an output schema says of one key of an object. */
export interface Child {
  /** At least what the key's value must meet; false when the key cannot be there. */
  readonly schema: Json;
  readonly required: boolean;
  /** Whether the schema has the field: names it, or says in so many words that any may be there. */
  readonly declared: boolean;
}

/** Longest chain of `$ref`s and alternatives that is followed. */
const deepest = 16;
const anything: Child = { schema: true, required: false, declared: true };

/** A schema with its leading `$ref`s followed, as far as they are local and stand alone. */
export function resolve(schema: Json, root: Json, depth = 0): Json {
  if (!isObject(schema) || typeof schema.$ref !== 'string' || depth > deepest) return schema;
  return resolve(targetOf(schema.$ref, root) ?? true, root, depth + 1);
}

function targetOf(ref: string, root: Json): Json | undefined {
  if (!ref.startsWith('#')) return undefined;
  try {
    return valueAt(root, decodeURIComponent(ref.slice(1)));
  } catch {
    // A malformed escape points to nothing; output-schema-invalid reports it.
    return undefined;
  }
}

/** What is known about `key` of an object of this schema. Keywords it does not follow only ever widen the answer. */
export function childOf(schema: Json, key: string, root: Json, depth = 0): Child {
  if (!isObject(schema) || depth > deepest) return schema === false ? { schema: false, required: false, declared: false } : anything;
  const own = ownChild(schema, key);
  const isRequired = listOf(schema.required).includes(key);
  const { $ref, allOf, anyOf, oneOf } = schema;
  if ($ref === undefined && allOf === undefined && anyOf === undefined && oneOf === undefined) {
    return { schema: own?.schema ?? true, required: isRequired, declared: own?.declared ?? true };
  }
  const every = [$ref === undefined ? undefined : resolve(schema, root), ...listOf(allOf)]
    .filter((part) => part !== undefined)
    .map((part) => childOf(part, key, root, depth + 1));
  const some = [...listOf(anyOf), ...listOf(oneOf)].map((part) => childOf(part, key, root, depth + 1));
  const required = isRequired || every.some((part) => part.required) || (some.length > 0 && some.every((part) => part.required));
  if (own !== undefined && (own.schema !== true || (every.length === 0 && some.length === 0))) return { ...own, required };
  const named = every.find((part) => part.schema !== true) ?? every[0];
  if (named !== undefined) return { schema: named.schema, required, declared: every.some((part) => part.declared) };
  if (some.length > 0)
    return { schema: { anyOf: some.map((part) => part.schema) }, required, declared: some.some((part) => part.declared) };
  return { ...anything, required };
}

/** What the object's own keywords say; undefined when they say nothing. */
function ownChild(schema: JsonObject, key: string): Omit<Child, 'required'> | undefined {
  const { properties, patternProperties, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, key)) return { schema: properties[key] as Json, declared: true };
  if (isObject(patternProperties)) return { schema: true, declared: true };
  if (additionalProperties === false) return { schema: false, declared: false };
  if (additionalProperties !== undefined) return { schema: additionalProperties, declared: true };
  // Most schemas leave additionalProperties out and mean what they list; an answer may hold more all the same.
  return isObject(properties) ? { schema: true, declared: false } : undefined;
}

/** The field names an object schema lists, for suggestions. */
export function namesIn(schema: Json, root: Json, depth = 0): readonly string[] {
  const resolved = resolve(schema, root);
  if (!isObject(resolved) || depth > deepest) return [];
  const parts = [...listOf(resolved.allOf), ...listOf(resolved.anyOf), ...listOf(resolved.oneOf)];
  const own = isObject(resolved.properties) ? Object.keys(resolved.properties) : [];
  return [...new Set([...own, ...parts.flatMap((part) => namesIn(part, root, depth + 1))])];
}

export type Fits = (schema: Json, value: Json) => boolean | undefined;

/** Whether a value fits a schema inside `root`; undefined when that takes the compiler and there is none, or it refuses the schema. */
export function createFits(root: Json, compiler: SchemaCompiler | undefined): Fits {
  const shared = isObject(root) ? { ...(root.definitions !== undefined && { definitions: root.definitions }), $defs: root.$defs } : {};
  const fits = (schema: Json, value: Json, depth: number): boolean | undefined => {
    const simply = fitsSimply(schema, value);
    if (simply !== undefined || !isObject(schema) || depth > deepest) return simply;
    const keys = Object.keys(schema);
    if (keys.length === 1 && typeof schema.$ref === 'string') {
      const target = targetOf(schema.$ref, root);
      return target === undefined ? undefined : fits(target, value, depth + 1);
    }
    if (keys.length === 1 && Array.isArray(schema.anyOf)) {
      const answers = listOf(schema.anyOf).map((part) => fits(part, value, depth + 1));
      return answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
    }
    if (compiler === undefined) return undefined;
    const compiled = compiler.compile(schema === root ? schema : ({ ...withoutUndefined(shared), ...schema } as JsonObject));
    return compiled.ok ? compiled.check(value).length === 0 : undefined;
  };
  return (schema, value) => fits(schema, value, 0);
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
