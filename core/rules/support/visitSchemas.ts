import { isObject, type Json, type JsonObject } from '../../json.js';
import { censusOf, censusOfPart } from './schemaCensus.js';
import { schemaKeywords } from './schemaKeywords.js';

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

/**
 * Visits the schemas that have one of the keywords, and others around and among them. Of a large schema they are found once; what has none is
 * passed over.
 *
 * @param keywords bits of `sought`
 */
export function seekSchemas(keywords: number, schema: Json | undefined, visit: SchemaVisit, at: Path = []): boolean {
  const census = isObject(schema) ? censusOf(schema) : undefined;
  if (census === undefined) return visitSchemas(schema, visit, at);
  if ((census.keywords & keywords) === 0) return false;
  const places = placesOf(schema as JsonObject, keywords);
  return places.some((place) => visit(place.schema, [...at, ...place.path], place.keyword) === true);
}

interface Place {
  readonly schema: JsonObject;
  readonly path: Path;
  readonly keyword: string | undefined;
}

/** By keywords. Parsed values never change. */
const found = new WeakMap<JsonObject, Map<number, readonly Place[]>>();

function placesOf(root: JsonObject, keywords: number): readonly Place[] {
  const known = found.get(root) ?? new Map<number, readonly Place[]>();
  found.set(root, known);
  let places = known.get(keywords);
  if (places === undefined) {
    const visited: Place[] = [];
    walk(root, (schema, path, keyword) => void visited.push({ schema, path: [...path], keyword }), [], undefined, keywords);
    places = visited;
    known.set(keywords, places);
  }
  return places;
}

function walk(
  schema: Json | undefined,
  visit: SchemaVisit,
  path: (string | number)[],
  from: string | undefined,
  keywords?: number,
): boolean {
  if (!isObject(schema)) return false;
  if (visit(schema, path, from) === true) return true;
  for (const keyword in schema) {
    const value = schema[keyword];
    if (typeof value !== 'object' || value === null) continue;
    const shape = schemaKeywords.get(keyword);
    if (shape === undefined) continue;
    path.push(keyword);
    const isOne = shape === 'one' && !Array.isArray(value);
    if (isOne ? walk(value, visit, path, keyword, keywords) : walkEach(value, visit, path, keyword, keywords)) return true;
    path.pop();
  }
  return false;
}

function walkEach(value: Json, visit: SchemaVisit, path: (string | number)[], keyword: string, keywords: number | undefined): boolean {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index);
      if (walk(value[index], visit, path, keyword, keywords)) return true;
      path.pop();
    }
    return false;
  }
  const named = value as JsonObject;
  for (const name in named) {
    if (keywords !== undefined && lacks(named[name], keywords)) continue;
    path.push(name);
    if (walk(named[name], visit, path, keyword, keywords)) return true;
    path.pop();
  }
  return false;
}

function lacks(part: Json | undefined, keywords: number): boolean {
  const census = censusOfPart(part);
  return census !== undefined && (census.keywords & keywords) === 0;
}
