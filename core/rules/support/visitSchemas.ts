import { isObject, type Json, type JsonObject } from '../../json.js';

/** Segments from the root of the visited value; one array for the whole walk, so copy what must last. */
export type Path = readonly (string | number)[];

/** `keyword`: the one that holds the schema (`properties`, `anyOf`), undefined for the outermost. True ends the walk. */
export type SchemaVisit = (schema: JsonObject, path: Path, keyword: string | undefined) => unknown;

/**
 * Visits a JSON Schema and every schema inside it, outermost first, in file order. Boolean schemas and values that are no schema
 * are passed over. `path` starts with the segments of `at`. True when a visit ended the walk.
 */
export function visitSchemas(schema: Json | undefined, visit: SchemaVisit, at: Path = []): boolean {
  return walk(schema, visit, [...at], undefined);
}

function walk(schema: Json | undefined, visit: SchemaVisit, path: (string | number)[], from: string | undefined): boolean {
  if (!isObject(schema)) return false;
  if (visit(schema, path, from) === true) return true;
  for (const keyword in schema) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) continue;
    const shape = subschemas.get(keyword);
    if (shape === undefined) continue;
    path.push(keyword);
    if (shape === 'one' && !Array.isArray(value) ? walk(value, visit, path, keyword) : walkEach(value, visit, path, keyword)) return true;
    path.pop();
  }
  return false;
}

function walkEach(value: Json, visit: SchemaVisit, path: (string | number)[], keyword: string): boolean {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      if (walk(value[index], visit, path, keyword)) return true;
      path.pop();
    }
    return false;
  }
  const named = value as JsonObject;
  for (const name in named) {
    path.push(name);
    if (walk(named[name], visit, path, keyword)) return true;
    path.pop();
  }
  return false;
}

/** Keywords of draft-07 and 2020-12 that hold schemas: one (or a list of them), or one for each name. */
const subschemas: ReadonlyMap<string, 'one' | 'named'> = new Map([
  ['properties', 'named'],
  ['items', 'one'],
  ['additionalProperties', 'one'],
  ['anyOf', 'one'],
  ['allOf', 'one'],
  ['oneOf', 'one'],
  ['$defs', 'named'],
  ['definitions', 'named'],
  ['patternProperties', 'named'],
  ['prefixItems', 'one'],
  ['additionalItems', 'one'],
  ['contains', 'one'],
  ['propertyNames', 'one'],
  ['not', 'one'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  ['dependentSchemas', 'named'],
  ['dependencies', 'named'],
  ['unevaluatedProperties', 'one'],
  ['unevaluatedItems', 'one'],
  ['contentSchema', 'one'],
]);
