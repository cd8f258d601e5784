import { isObject, type Json, type JsonObject, segmentsOf, valueAt } from '../../core/json.js';
import { findStrictViolations, type StrictViolation } from '../../core/prompt/strictSchema.js';

/** A schema in the form that strict modes accept, as far as possible without changing what it describes. */
export interface StrictForm {
  readonly schema: JsonObject;
  /** Limits and annotations that were removed: their keywords, each once. */
  readonly dropped: readonly string[];
  /** Parts that only the author can rewrite. */
  readonly left: readonly StrictViolation[];
}

/** Keywords that a schema can lose without changing its structure: limits, formats and annotations. */
const droppable: ReadonlySet<string> = new Set([
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$id',
  '$schema',
  '$anchor',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'contentMediaType',
  'contentEncoding',
]);

/** One round may uncover nested parts: `oneOf` is searched only once it has become `anyOf`. */
const mostRounds = 8;

/**
 * Closes every object, requires every property and lets the optional ones be null, turns `oneOf` into `anyOf`, and drops limits that strict
 * modes do not support. Objects that are open on purpose (a schema for other keys) stay.
 */
export function toStrictForm(schema: JsonObject, options: { readonly fineTuned?: boolean } = {}): StrictForm {
  const dropped = new Set<string>();
  let current: Json = schema;
  let violations = findStrictViolations(schema, options);
  for (let round = 0; round < mostRounds && violations.length > 0; round++) {
    const before: Json = current;
    for (const violation of violations) current = resolve(current, violation, dropped);
    if (current === before || !isObject(current)) break;
    violations = findStrictViolations(current, options);
  }
  return { schema: isObject(current) ? current : schema, dropped: [...dropped], left: violations };
}

function resolve(root: Json, { pointer, keyword }: StrictViolation, dropped: Set<string>): Json {
  const segments = segmentsOf(pointer);
  const last = segments.at(-1);
  switch (keyword) {
    case 'additionalProperties':
      // The keyword is marked if it is written, otherwise the object; a property may have the same name.
      return update(root, isWrittenKeyword(root, pointer, segments) ? segments.slice(0, -1) : segments, close);
    case 'required':
      return segments.at(-2) === 'properties' && last !== undefined
        ? update(root, segments.slice(0, -2), (node) => requireProperty(node, last))
        : root;
    case 'oneOf':
      return update(root, segments.slice(0, -1), toAnyOf);
    case '$ref':
      return last === '$ref' ? root : update(root, segments, withoutSiblings);
    case 'type':
      return update(root, segments, withInferredType);
    default:
      if (!droppable.has(keyword) || last !== keyword) return root;
      dropped.add(keyword);
      return update(root, segments.slice(0, -1), (node) => without(node, keyword));
  }
}

function isWrittenKeyword(root: Json, pointer: string, segments: readonly string[]): boolean {
  return segments.at(-1) === 'additionalProperties' && segments.at(-2) !== 'properties' && valueAt(root, pointer) !== undefined;
}

/** The value with the object at a path changed; the identical value if the path does not exist or nothing changes. */
function update(value: Json, [segment, ...rest]: readonly string[], change: (node: JsonObject) => JsonObject): Json {
  if (segment === undefined) return isObject(value) ? change(value) : value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return value;
  const before = (value as JsonObject)[segment] as Json;
  const after = update(before, rest, change);
  if (after === before) return value;
  if (Array.isArray(value)) return value.map((item: Json, index) => (String(index) === segment ? after : item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === segment ? after : item]));
}

function close(node: JsonObject): JsonObject {
  // A schema for other keys means that they matter; without properties nothing would be left.
  if (isObject(node.additionalProperties) || !isObject(node.properties)) return node;
  return { ...node, additionalProperties: false };
}

function requireProperty(node: JsonObject, name: string): JsonObject {
  if (!isObject(node.properties)) return node;
  const properties = Object.entries(node.properties);
  const required: readonly Json[] = Array.isArray(node.required) ? node.required : [];
  if (required.includes(name)) return node;
  return {
    ...node,
    required: [...required, name],
    properties: Object.fromEntries(properties.map(([key, item]) => [key, key === name ? nullable(item) : item])),
  };
}

/** The schema, with null allowed: the value of an optional property that is not given. */
function nullable(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { type, anyOf, $ref } = schema;
  if (Array.isArray(anyOf))
    return anyOf.some((part) => isObject(part) && part.type === 'null') ? schema : { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if ($ref !== undefined || schema.const !== undefined || (type === undefined && schema.enum === undefined))
    return { anyOf: [schema, { type: 'null' }] };
  const types: readonly Json[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const isNullable = types.includes('null');
  const listed: readonly Json[] | undefined = Array.isArray(schema.enum) ? schema.enum : undefined;
  return {
    ...schema,
    ...(type !== undefined && !isNullable && { type: [...types, 'null'] }),
    ...(listed !== undefined && !listed.includes(null) && { enum: [...listed, null] }),
  };
}

function toAnyOf(node: JsonObject): JsonObject {
  if (node.anyOf !== undefined || node.oneOf === undefined) return node;
  return Object.fromEntries(Object.entries(node).map(([key, item]) => [key === 'oneOf' ? 'anyOf' : key, item]));
}

function withoutSiblings({ $ref, ...rest }: JsonObject): JsonObject {
  const definitions = Object.entries(rest).filter(([key]) => key === '$defs' || key === 'definitions');
  return $ref === undefined ? rest : { $ref, ...Object.fromEntries(definitions) };
}

/** The types of the listed values, if no type is given. */
function withInferredType(node: JsonObject): JsonObject {
  const values: readonly Json[] = Array.isArray(node.enum) ? node.enum : node.const === undefined ? [] : [node.const];
  if (node.type !== undefined || values.length === 0) {
    if (node.type === undefined && isObject(node.properties)) return { type: 'object', ...node };
    return node;
  }
  const types = [...new Set(values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)))];
  return { type: types.length === 1 ? (types[0] as string) : types, ...node };
}

function without(node: JsonObject, keyword: string): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== keyword));
}
