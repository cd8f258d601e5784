import { escapeSegment, isObject, type Json, type JsonObject } from '../json.js';
import { workKeyword } from './ajvKeywords.js';
import { type Dialect, heldSchemas, type Place, type Places, subschemaKeywords } from './schemaPlaces.js';

const conditions = [
  ...['type', 'enum', 'const', 'format', 'required', 'pattern', 'multipleOf', 'uniqueItems'],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'],
];

/** Keywords whose value is a plain condition; those that hold schemas are in `subschemaKeywords`. */
const conditionsOf: Readonly<Record<Dialect, readonly string[]>> = {
  'draft-07': conditions,
  '2020-12': [...conditions, 'minContains', 'maxContains', 'dependentRequired'],
};

/** Whether a keyword of a schema judges values, directly or through the schemas that it holds. */
export function isJudging(keyword: string, dialect: Dialect): boolean {
  return conditionsOf[dialect].includes(keyword) || subschemaKeywords[dialect].has(keyword);
}

/** Keywords that judge any number of values. */
const loops = new Set(['additionalItems', 'additionalProperties', 'contains', 'items', 'patternProperties', 'propertyNames']);
for (const keyword of ['unevaluatedItems', 'unevaluatedProperties']) loops.add(keyword);

/** Longer lists are checked in a loop: ajv's `loopEnum` and `loopRequired`. */
const longList = 200;

type Draft = { [keyword: string]: Json };

/**
 * A copy of a schema for ajv: only keywords of its dialect, the targets of references under `definitions`, the work of keywords for many values,
 * and no key `__proto__`, which ajv skips: `properties` and `dependencies` of that name are expressed by other keywords.
 */
export function copyForAjv(
  places: Places,
  targets: ReadonlySet<string>,
  dialect: Dialect,
  hasFormat: (name: string) => boolean,
): JsonObject | boolean {
  const names = new Map([...targets].map((pointer, index) => [pointer, pointer === '' ? '#' : `#/definitions/${index}`]));
  const root = copyOf('');
  if (typeof root === 'boolean' || targets.size === 0) return root;
  const definitions: Draft = {};
  for (const [pointer, name] of names) {
    if (pointer !== '') definitions[name.slice('#/definitions/'.length)] = copyOf(pointer);
  }
  return { ...root, definitions };

  function copyOf(pointer: string): JsonObject | boolean {
    const place = places.all.get(pointer);
    if (place === undefined || typeof place.schema === 'boolean') return place === undefined || place.schema === true;
    const copy: Draft = {};
    const allOf: Json[] = [];
    copyConditions(place.schema, copy);
    for (const [keyword, { holds }] of subschemaKeywords[dialect]) {
      if (!Object.hasOwn(place.schema, keyword)) continue;
      const value = place.schema[keyword];
      if (holds === 'map' || holds === 'dependency') copyMap(keyword, value, `${pointer}/${keyword}`, copy);
      else {
        const schemas = [...heldSchemas(holds, value, `${pointer}/${keyword}`)].map(([, inner]) => heldBy(keyword, inner));
        copy[keyword] = Array.isArray(value) ? schemas : (schemas[0] ?? true);
      }
    }
    // Ajv drops an `if` without `then`, and with it what the `if` has evaluated. This `then` has no keyword of JSON Schema, so it allows everything.
    if (dialect === '2020-12' && copy.if !== undefined && copy.then === undefined)
      Object.assign(copy, Object.fromEntries([['then', { [workKeyword]: 0 }]]));
    copyReferences(place, copy, allOf);
    copyProtoNames(copy, allOf);
    if (allOf.length > 0) copy.allOf = [...allOf, ...((copy.allOf as readonly Json[] | undefined) ?? [])];
    return copy;
  }

  /** The copy of a held schema, with its work; a schema that allows everything or nothing costs none. */
  function heldBy(keyword: string, pointer: string): Json {
    const schema = inPlaceOf(pointer);
    return loops.has(keyword) && isObject(schema) && Object.keys(schema).length > 0 ? { [workKeyword]: 1, ...schema } : schema;
  }

  /** A reference for a schema that is in `definitions`, else its copy. */
  function inPlaceOf(pointer: string): Json {
    const name = names.get(pointer);
    return name === undefined ? copyOf(pointer) : { $ref: name };
  }

  function copyConditions(schema: JsonObject, copy: Draft): void {
    for (const keyword of conditionsOf[dialect]) {
      const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
      const isUnknownFormat = keyword === 'format' && !hasFormat(String(value));
      if (value !== undefined && !isUnknownFormat) copy[keyword] = value;
      if (Array.isArray(value) && value.length > longList) copy[workKeyword] = value.length;
    }
  }

  function copyMap(keyword: string, value: Json | undefined, pointer: string, copy: Draft): void {
    if (!isObject(value)) return;
    const entries = Object.entries(value).map(([name, inner]): [string, Json] => {
      const innerPointer = `${pointer}/${escapeSegment(name)}`;
      return [name, places.all.has(innerPointer) ? heldBy(keyword, innerPointer) : inner];
    });
    // Object.fromEntries defines every key; an assignment would lose `__proto__`.
    copy[keyword] = Object.fromEntries(entries);
  }

  function copyReferences(place: Place, copy: Draft, allOf: Json[]): void {
    for (const { target } of places.referencesOf(place)) {
      if (typeof target !== 'object') continue;
      const reference = { $ref: names.get(target.pointer) ?? '#' };
      if (copy.$ref === undefined) copy.$ref = reference.$ref;
      else allOf.push(reference);
    }
  }
}

/** Expresses entries under the key `__proto__` by other keywords. */
function copyProtoNames(copy: Draft, allOf: Json[]): void {
  const properties = takeProto(copy, 'properties');
  const patterns = takeProto(copy, 'patternProperties');
  if (patterns !== undefined) copy.patternProperties = { ...(copy.patternProperties as JsonObject), '(?:__proto__)': patterns };
  if (properties !== undefined) copy.patternProperties = { ...(copy.patternProperties as JsonObject), '^(?:__proto__)$': properties };
  for (const keyword of ['dependencies', 'dependentSchemas', 'dependentRequired']) {
    const dependency = takeProto(copy, keyword);
    if (dependency === undefined) continue;
    // Written as entries, since an object with its own `then` may be taken for a promise.
    allOf.push(
      Object.fromEntries([
        ['if', { required: ['__proto__'] }],
        ['then', Array.isArray(dependency) ? { required: dependency } : dependency],
      ]),
    );
  }
}

/** Removes the entry `__proto__` from the map under `keyword`, and returns it. */
function takeProto(copy: Draft, keyword: string): Json | undefined {
  const map = copy[keyword];
  if (!isObject(map) || !Object.hasOwn(map, '__proto__')) return undefined;
  copy[keyword] = Object.fromEntries(Object.entries(map).filter(([name]) => name !== '__proto__'));
  return Object.entries(map).find(([name]) => name === '__proto__')?.[1];
}
