import { isObject, type Json, type JsonObject } from '../../json.js';
import { resolveRef } from './resolveRef.js';

export interface Choice {
  readonly value: string;
  /** JSON pointer from the root schema. */
  readonly pointer: string;
}

/** The strings an output field may be, as its schema says. */
export interface Choices {
  /** In schema order, repeated ones kept; values that are no string (the null of a nullable field) left out. */
  readonly values: readonly Choice[];
  /** Pointer of what lists them: an `enum`, a `const`, an `anyOf`. */
  readonly pointer: string;
}

/**
 * The strings a field can be chosen from: its `enum`, its string `const`, the `enum` of its `items`; through local `$ref`s (cycles
 * end the search), `allOf`, and `anyOf` or `oneOf` whose branches are all choices or null. Undefined when the field is not limited to a list of
 * strings.
 *
 * @param root the whole output schema, where `$ref`s lead
 * @param pointer where `schema` is in `root`
 */
export function findChoices(root: JsonObject, schema: Json | undefined, pointer: string): Choices | undefined {
  return isObject(schema) && mayLimit(schema) ? search(root, schema, pointer, new Set()) : undefined;
}

/** Whether a schema's own `enum` is this list of strings, in this order: the common case, told without making anything. */
export function listsExactly(schema: Json | undefined, values: readonly Json[]): boolean {
  if (!isObject(schema)) return false;
  const listed = schema.enum ?? (isObject(schema.items) ? schema.items.enum : undefined);
  if (!Array.isArray(listed) || listed.length !== values.length || listed.length === 0) return false;
  for (let index = 0; index < values.length; index++) {
    if (typeof values[index] !== 'string' || values[index] !== listed[index]) return false;
  }
  return true;
}

function mayLimit(schema: JsonObject): boolean {
  for (const keyword in schema) if (limiting.has(keyword)) return true;
  return false;
}

const limiting = new Set(['enum', 'const', '$ref', 'allOf', 'anyOf', 'oneOf', 'items']);

/** `seen` is shared by the whole search: a `$ref` met twice is a cycle or says nothing new, and the search stays linear. */
function search(root: JsonObject, schema: Json | undefined, pointer: string, seen: Set<string>): Choices | undefined {
  if (!isObject(schema)) return undefined;
  return (
    ownChoices(schema, pointer) ??
    referredChoices(root, schema, seen) ??
    firstOfAll(root, schema, pointer, seen) ??
    unionOf(root, schema, pointer, 'anyOf', seen) ??
    unionOf(root, schema, pointer, 'oneOf', seen) ??
    search(root, schema.items, `${pointer}/items`, seen)
  );
}

function ownChoices(schema: JsonObject, pointer: string): Choices | undefined {
  if (typeof schema.const === 'string') {
    const place = `${pointer}/const`;
    return { values: [{ value: schema.const, pointer: place }], pointer: place };
  }
  if (!Array.isArray(schema.enum)) return undefined;
  const place = `${pointer}/enum`;
  const values: Choice[] = [];
  schema.enum.forEach((value: Json, index) => {
    if (typeof value === 'string') values.push({ value, pointer: `${place}/${index}` });
  });
  return values.length === 0 && schema.enum.length > 0 ? undefined : { values, pointer: place };
}

function referredChoices(root: JsonObject, schema: JsonObject, seen: Set<string>): Choices | undefined {
  if (typeof schema.$ref !== 'string' || seen.has(schema.$ref)) return undefined;
  seen.add(schema.$ref);
  const target = resolveRef(root, schema.$ref);
  return target === undefined ? undefined : search(root, target.schema, target.pointer, seen);
}

function firstOfAll(root: JsonObject, schema: JsonObject, pointer: string, seen: Set<string>): Choices | undefined {
  if (!Array.isArray(schema.allOf)) return undefined;
  for (const [index, part] of schema.allOf.entries()) {
    const found = search(root, part, `${pointer}/allOf/${index}`, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unionOf(
  root: JsonObject,
  schema: JsonObject,
  pointer: string,
  keyword: 'anyOf' | 'oneOf',
  seen: Set<string>,
): Choices | undefined {
  const branches = schema[keyword];
  if (!Array.isArray(branches)) return undefined;
  const found: Choices[] = [];
  for (const [index, branch] of branches.entries()) {
    if (isNull(branch)) continue;
    const choices = search(root, branch, `${pointer}/${keyword}/${index}`, seen);
    if (choices === undefined) return undefined;
    found.push(choices);
  }
  if (found.length === 0) return undefined;
  if (found.length === 1) return found[0];
  return { values: found.flatMap((choices) => choices.values), pointer: `${pointer}/${keyword}` };
}

function isNull(schema: Json | undefined): boolean {
  if (!isObject(schema)) return false;
  if (schema.type === 'null' || schema.const === null) return true;
  return Array.isArray(schema.enum) && schema.enum.length > 0 && schema.enum.every((value: Json) => value === null);
}
