import { isObject, type Json, type JsonObject, pointerOf, segmentsOf, valueAt } from '../json.js';
import { ownAt } from './untrusted.js';

/**
 * The place in an agent's config that rejected a value: the pointer of the keyword (`/output_schema/properties/tone/enum`), or of the nearest
 * enclosing schema if it has no such keyword. Follows references inside the schema.
 *
 * @param config has `output_schema`, and maybe `enums`
 * @param path JSON pointer into the answer
 */
export function schemaPlace(config: JsonObject, { path, keyword }: { readonly path: string; readonly keyword: string }): string {
  const names = segmentsOf(path);
  const [field] = names;
  let place = pointerOf('output_schema');
  for (const name of names) {
    const next = below(config, place, name);
    // The enclosing schema rejects missing and unexpected fields.
    if (next === undefined) return withKeyword(config, place, keyword);
    place = next;
  }
  const exact = withKeyword(config, place, keyword);
  const enumPointer = field === undefined ? undefined : pointerOf('enums', field);
  const isInSchema = exact !== place;
  return !isInSchema && keyword === 'enum' && enumPointer !== undefined && valueAt(config, enumPointer) !== undefined ? enumPointer : exact;
}

function withKeyword(config: JsonObject, place: string, keyword: string): string {
  const places = follow(config, place);
  for (const around of places) {
    const pointer = around + pointerOf(keyword);
    if (valueAt(config, pointer) !== undefined) return pointer;
  }
  return places.at(0) ?? place;
}

/** The schema of a member or an item of the value that the schema at `place` describes. */
function below(config: JsonObject, place: string, name: string): string | undefined {
  for (const around of follow(config, place)) {
    const schema = valueAt(config, around);
    if (!isObject(schema)) continue;
    for (const step of stepsTo(schema, name)) {
      const pointer = around + step;
      if (valueAt(config, pointer) !== undefined) return pointer;
    }
  }
  return undefined;
}

function stepsTo(schema: JsonObject, name: string): readonly string[] {
  const steps = [pointerOf('properties', name)];
  if (/^\d+$/.test(name)) {
    steps.push(pointerOf('prefixItems', name), pointerOf('items', name));
    if (isObject(ownAt(schema, 'items'))) steps.push('/items');
  }
  if (isObject(ownAt(schema, 'additionalProperties'))) steps.push('/additionalProperties');
  return steps;
}

/** A schema and all others that validate the same value: by `$ref`, `allOf`, `anyOf`, `oneOf`, `then` and `else`. Nearest first. */
function follow(config: JsonObject, start: string): readonly string[] {
  const places = [start];
  for (let index = 0; index < places.length && places.length < 100; index++) {
    const place = places[index] ?? '';
    const schema = valueAt(config, place);
    if (!isObject(schema)) continue;
    const next = ['allOf', 'anyOf', 'oneOf'].flatMap((list) =>
      itemsOf(ownAt(schema, list)).map((_, item) => place + pointerOf(list, item)),
    );
    for (const branch of ['then', 'else']) if (isObject(ownAt(schema, branch))) next.push(place + pointerOf(branch));
    const reference = ownAt(schema, '$ref');
    if (typeof reference === 'string' && reference.startsWith('#')) next.unshift(`/output_schema${decode(reference.slice(1))}`);
    for (const pointer of next) if (!places.includes(pointer)) places.push(pointer);
  }
  return places;
}

function itemsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch (error) {
    if (error instanceof URIError) return fragment;
    throw error;
  }
}
