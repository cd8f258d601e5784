import { isObject, type Json, type JsonObject, pointerOf, segmentsOf, valueAt } from '../json.js';
import { ownAt } from './untrusted.js';

/**
 * Where in an agent's config the words stand that refused a value: the pointer of the keyword (`/output_schema/properties/tone/enum`), or of
 * the nearest schema around it when no such keyword is found. Follows references inside the schema.
 *
 * @param config holds `output_schema`, and maybe `enums`
 * @param path JSON pointer into the answer
 */
export function schemaPlace(config: JsonObject, { path, keyword }: { readonly path: string; readonly keyword: string }): string {
  const names = segmentsOf(path);
  const [field] = names;
  let place = pointerOf('output_schema');
  for (const name of names) {
    const next = below(config, place, name);
    // A field that is missing or not wanted is the business of the schema around it.
    if (next === undefined) return withKeyword(config, place, keyword);
    place = next;
  }
  const exact = withKeyword(config, place, keyword);
  const listed = field === undefined ? undefined : pointerOf('enums', field);
  const isInSchema = exact !== place;
  return !isInSchema && keyword === 'enum' && listed !== undefined && valueAt(config, listed) !== undefined ? listed : exact;
}

function withKeyword(config: JsonObject, place: string, keyword: string): string {
  const followed = follow(config, place);
  for (const around of followed) {
    const pointer = around + pointerOf(keyword);
    if (valueAt(config, pointer) !== undefined) return pointer;
  }
  return followed.at(0) ?? place;
}

/** The schema of a member or an item of what the schema at `place` describes. */
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

/** A schema and all that judge the same value: what it refers to, and what `allOf`, `anyOf`, `oneOf`, `then` and `else` hold. Nearest first. */
function follow(config: JsonObject, start: string): readonly string[] {
  const found = [start];
  for (let index = 0; index < found.length && found.length < 100; index++) {
    const place = found[index] ?? '';
    const schema = valueAt(config, place);
    if (!isObject(schema)) continue;
    const next = ['allOf', 'anyOf', 'oneOf'].flatMap((list) =>
      itemsOf(ownAt(schema, list)).map((_, item) => place + pointerOf(list, item)),
    );
    for (const one of ['then', 'else']) if (isObject(ownAt(schema, one))) next.push(place + pointerOf(one));
    const reference = ownAt(schema, '$ref');
    if (typeof reference === 'string' && reference.startsWith('#')) next.unshift(`/output_schema${decode(reference.slice(1))}`);
    for (const one of next) if (!found.includes(one)) found.push(one);
  }
  return found;
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
