import { isObject, type Json, type JsonObject, listOf } from '../../../json.js';

/** Numbers of the guide "Structured outputs" (platform.claude.com, read 2026-11-22). */
const limits = { optionalProperties: 24, unions: 16 } as const;
/** Deeper than any schema the API accepts; protects the stack. */
const walkLimit = 64;

/** Sent as they are. */
const kept = new Set(['type', 'title', 'description', 'enum', 'const', 'default']);
/** Say nothing about the answer. */
const silent = new Set(['$schema', '$id', '$comment', '$anchor']);
/** Limits that the API does not support: described to the model, and checked by us afterwards. */
const describedLimits = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'examples',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'readOnly',
  'writeOnly',
  'deprecated',
]);
const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']);
const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

interface Walk {
  optional: number;
  unions: number;
}

class Inexpressible extends Error {}

/**
 * The schema in the subset of Claude's structured outputs, or undefined where that cannot express it: open maps, recursion, tuples, `allOf`,
 * values without a type, more optional properties or unions than allowed. Every object is closed, and unsupported limits are added to the
 * description. An answer that fits the result is an object with the keys of the schema but may break a limit, so it is always validated
 * against the original schema.
 */
export function toOutputSchema(schema: JsonObject): JsonObject | undefined {
  if (schema.type !== 'object' || isRecursive(schema)) return undefined;
  const walk: Walk = { optional: 0, unions: 0 };
  try {
    const result = convert(schema, walk, 0);
    return walk.optional > limits.optionalProperties || walk.unions > limits.unions ? undefined : result;
  } catch (error) {
    if (error instanceof Inexpressible) return undefined;
    throw error;
  }
}

function convert(node: Json | undefined, walk: Walk, depth: number): JsonObject {
  if (!isObject(node) || depth > walkLimit) throw new Inexpressible();
  const out: [string, Json][] = [];
  const notes: [string, Json][] = [];
  const inside = (part: Json | undefined) => convert(part, walk, depth + 1);
  if (node.$ref !== undefined) return referring(node, inside);
  const kinds = typesOf(node);
  if (Array.isArray(node.type)) walk.unions += 1;

  for (const [keyword, value] of Object.entries(node)) {
    if (keyword === '$defs' || keyword === 'definitions') out.push([keyword, mapped(value, inside)]);
    else if (keyword === 'anyOf' || keyword === 'oneOf') {
      if (!Array.isArray(value)) throw new Inexpressible();
      walk.unions += 1;
      out.push(['anyOf', value.map(inside)]);
    } else if (keyword === 'properties') out.push([keyword, mapped(value, inside)]);
    else if (keyword === 'required') out.push([keyword, value]);
    else if (keyword === 'items') out.push([keyword, inside(value)]);
    else if (keyword === 'additionalProperties') {
      if (isObject(value)) throw new Inexpressible();
    } else if (keyword === 'format' && formats.has(String(value))) out.push([keyword, value]);
    else if (keyword === 'minItems' && (value === 0 || value === 1)) out.push([keyword, value]);
    else if (describedLimits.has(keyword)) notes.push([keyword, value]);
    else if (kept.has(keyword)) out.push([keyword, value]);
    else if (!silent.has(keyword)) throw new Inexpressible();
  }
  const isUnion = node.anyOf !== undefined || node.oneOf !== undefined;
  if (node.anyOf !== undefined && node.oneOf !== undefined) throw new Inexpressible();
  const hasValues = Array.isArray(node.enum) || node.const !== undefined;
  if (kinds.length === 0 && !isUnion && !hasValues) throw new Inexpressible();
  for (const value of [...listOf(node.enum), node.const ?? null])
    if (typeof value === 'object' && value !== null) throw new Inexpressible();
  if (kinds.includes('array') && !hasValues && node.items === undefined) throw new Inexpressible();
  if (kinds.includes('object')) {
    closeObject(node, out);
    walk.optional += optionalCount(node);
  }
  if (notes.length > 0) addNotes(out, notes);
  return Object.fromEntries(out);
}

function closeObject(node: JsonObject, out: [string, Json][]): void {
  const names = isObject(node.properties) ? Object.keys(node.properties) : [];
  // An object without declared properties may have any; closed, it could have none.
  if (names.length === 0 && node.additionalProperties !== false) throw new Inexpressible();
  out.push(['additionalProperties', false]);
}

function optionalCount({ properties, required }: JsonObject): number {
  const needed = new Set(listOf(required));
  return isObject(properties) ? Object.keys(properties).filter((name) => !needed.has(name)).length : 0;
}

function addNotes(out: [string, Json][], notes: readonly (readonly [string, Json])[]): void {
  const words = `(${notes.map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`).join(', ')})`;
  const at = out.findIndex(([keyword]) => keyword === 'description');
  if (at === -1) out.push(['description', words]);
  else out[at] = ['description', `${String(out[at]![1])} ${words}`];
}

function mapped(value: Json | undefined, inside: (part: Json) => JsonObject): JsonObject {
  if (!isObject(value)) throw new Inexpressible();
  // From entries, since a name may be __proto__.
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inside(part)]));
}

/** A reference may have only definitions beside it, and may only point to a definition. */
function referring({ $ref, $defs, definitions }: JsonObject, inside: (part: Json) => JsonObject): JsonObject {
  if (typeof $ref !== 'string' || !/^#\/(\$defs|definitions)\/[^/~%]+$/.test($ref)) throw new Inexpressible();
  return {
    $ref,
    ...($defs !== undefined && { $defs: mapped($defs, inside) }),
    ...(definitions !== undefined && { definitions: mapped(definitions, inside) }),
  };
}

function typesOf({ type }: JsonObject): readonly string[] {
  const typeNames = Array.isArray(type) ? (type as readonly Json[]) : type === undefined ? [] : [type];
  return typeNames.map((each) => {
    if (typeof each !== 'string' || !types.has(each)) throw new Inexpressible();
    return each;
  });
}

/** Whether a definition contains itself, through any number of references. */
function isRecursive(schema: JsonObject): boolean {
  const holds = new Map<string, ReadonlySet<string>>();
  for (const keyword of ['$defs', 'definitions']) {
    const definitions = schema[keyword];
    if (!isObject(definitions)) continue;
    for (const [name, part] of Object.entries(definitions)) holds.set(`#/${keyword}/${name}`, referencesIn(part));
  }
  const reaches = (from: string, to: string, seen: Set<string>): boolean => {
    for (const next of holds.get(from) ?? []) {
      if (next === to) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      if (reaches(next, to, seen)) return true;
    }
    return false;
  };
  return [...holds.keys()].some((name) => reaches(name, name, new Set()));
}

function referencesIn(node: Json | undefined, depth = 0): Set<string> {
  const definitionNames = new Set<string>();
  if (typeof node !== 'object' || node === null || depth > walkLimit) return definitionNames;
  if (isObject(node) && typeof node.$ref === 'string') definitionNames.add(node.$ref);
  for (const part of Object.values(node)) for (const reference of referencesIn(part as Json, depth + 1)) definitionNames.add(reference);
  return definitionNames;
}
