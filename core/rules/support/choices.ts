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
  return isObject(schema) && mayLimit(schema) ? choicesOf(schema, pointer, { root, seen: new Set(), inItems: false }) : undefined;
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

/** Whether a schema has a keyword that may limit a field to a list: where it has none, there are no choices. */
export function mayLimit(schema: JsonObject): boolean {
  for (const keyword in schema) if (limiting.has(keyword)) return true;
  return false;
}

const limiting = new Set(['enum', 'const', '$ref', 'allOf', 'anyOf', 'oneOf', 'items']);

interface Search {
  readonly root: JsonObject;
  /** Shared by the whole search: a `$ref` met twice is a cycle or says nothing new, and the search stays linear. */
  readonly seen: Set<string>;
  /** A list of choices is chosen from; a list of lists is not. */
  readonly inItems: boolean;
}

function choicesOf(schema: Json | undefined, pointer: string, search: Search): Choices | undefined {
  if (!isObject(schema)) return undefined;
  return (
    ownChoices(schema, pointer) ??
    referredChoices(schema, search) ??
    firstOfAll(schema, pointer, search) ??
    unionOf(schema.anyOf, `${pointer}/anyOf`, search) ??
    unionOf(schema.oneOf, `${pointer}/oneOf`, search) ??
    (search.inItems ? undefined : choicesOf(schema.items, `${pointer}/items`, { ...search, inItems: true }))
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

function referredChoices(schema: JsonObject, search: Search): Choices | undefined {
  if (typeof schema.$ref !== 'string' || search.seen.has(schema.$ref)) return undefined;
  search.seen.add(schema.$ref);
  const target = resolveRef(search.root, schema.$ref);
  return target === undefined ? undefined : choicesOf(target.schema, target.pointer, search);
}

function firstOfAll({ allOf }: JsonObject, pointer: string, search: Search): Choices | undefined {
  if (!Array.isArray(allOf)) return undefined;
  for (const [index, part] of allOf.entries()) {
    const found = choicesOf(part, `${pointer}/allOf/${index}`, search);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unionOf(branches: Json | undefined, pointer: string, search: Search): Choices | undefined {
  if (!Array.isArray(branches)) return undefined;
  const found: Choices[] = [];
  for (const [index, branch] of branches.entries()) {
    if (isNull(branch)) continue;
    const choices = choicesOf(branch, `${pointer}/${index}`, search);
    if (choices === undefined) return undefined;
    found.push(choices);
  }
  if (found.length < 2) return found[0];
  return { values: found.flatMap((choices) => choices.values), pointer };
}

function isNull(schema: Json | undefined): boolean {
  if (!isObject(schema)) return false;
  if (schema.type === 'null' || schema.const === null) return true;
  return Array.isArray(schema.enum) && schema.enum.length > 0 && schema.enum.every((value: Json) => value === null);
}
