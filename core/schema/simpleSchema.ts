import { isObject, type Json, type JsonObject } from '../json.js';
import { isEqual, isMultipleOf, isShorter, isUnique } from '../jsonText/jsonCompare.js';

/**
 * Whether a value fits a JSON Schema of simple keywords only, or undefined when the schema has others (or is not
 * valid), so that only the compiled schema can decide. Never differs from the compiled schema (`createSchemaCompiler`), and
 * avoids loading ajv for most files.
 *
 * Simple are `type`, `enum`, `const`, limits and multiples of numbers, lengths and counts, `uniqueItems`, `items` with one schema,
 * `properties`, `required`, `additionalProperties: true | false`, and annotations.
 */
export function fitsSimply(schema: Json, value: Json): boolean | undefined {
  return isSimple(schema, 0) ? fits(schema, value) : undefined;
}

type SimpleSchema = boolean | JsonObject;
/** Whether the keyword's own value is well-formed and simple. `depth`: that of its schema. */
type Form = (wanted: Json, depth: number) => boolean;
type Test = (value: Json, wanted: never, schema: JsonObject) => boolean;

/** Deeper schemas are left to the compiler, which has its own limits. */
const deepest = 50;

const types: ReadonlyMap<Json, (value: Json) => boolean> = new Map<Json, (value: Json) => boolean>([
  ['string', (value) => typeof value === 'string'],
  // JSON.parse reads 1e999 as Infinity, which is not a JSON number.
  ['number', (value) => Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['null', (value) => value === null],
  ['array', (value) => Array.isArray(value)],
  ['object', isObject],
]);

const isNumber: Form = (wanted) => Number.isFinite(wanted);
const isCount: Form = (wanted) => Number.isInteger(wanted) && (wanted as number) >= 0;
const isBoolean: Form = (wanted) => typeof wanted === 'boolean';
const isNames = (wanted: Json): wanted is readonly string[] =>
  Array.isArray(wanted) && wanted.every((name) => typeof name === 'string') && isUnique(wanted);
const anything: Form = () => true;

const ofNumber = (holds: (value: number, limit: number) => boolean) => (value: Json, limit: number) =>
  typeof value !== 'number' || holds(value, limit);
const ofText = (holds: (value: string, limit: number) => boolean) => (value: Json, limit: number) =>
  typeof value !== 'string' || holds(value, limit);
const ofList = (holds: (value: readonly Json[], limit: number) => boolean) => (value: Json, limit: number) =>
  !Array.isArray(value) || holds(value, limit);

const keywords: ReadonlyMap<string, { readonly form: Form; readonly test?: Test }> = new Map<string, { form: Form; test?: Test }>([
  ...['$comment', '$schema', 'title', 'description'].map((name) => [name, { form: (text: Json) => typeof text === 'string' }] as const),
  ['default', { form: anything }],
  ['examples', { form: (list) => Array.isArray(list) }],
  ['type', { form: isType, test: (value, wanted: string | readonly string[]) => [wanted].flat().some((name) => types.get(name)?.(value)) }],
  ['enum', { form: (list) => Array.isArray(list), test: (value, list: readonly Json[]) => list.some((item) => isEqual(value, item)) }],
  ['const', { form: anything, test: (value, wanted: Json) => isEqual(value, wanted) }],
  ['minimum', { form: isNumber, test: ofNumber((value, limit) => value >= limit) }],
  ['maximum', { form: isNumber, test: ofNumber((value, limit) => value <= limit) }],
  ['exclusiveMinimum', { form: isNumber, test: ofNumber((value, limit) => value > limit) }],
  ['exclusiveMaximum', { form: isNumber, test: ofNumber((value, limit) => value < limit) }],
  ['multipleOf', { form: (wanted) => Number.isFinite(wanted) && (wanted as number) > 0, test: ofNumber(isMultipleOf) }],
  ['minLength', { form: isCount, test: ofText((text, limit) => !isShorter(text, limit)) }],
  ['maxLength', { form: isCount, test: ofText((text, limit) => isShorter(text, limit + 1)) }],
  ['minItems', { form: isCount, test: ofList((list, limit) => list.length >= limit) }],
  ['maxItems', { form: isCount, test: ofList((list, limit) => list.length <= limit) }],
  ['uniqueItems', { form: isBoolean, test: (value, wanted: boolean) => !wanted || !Array.isArray(value) || isUnique(value) }],
  [
    'items',
    {
      form: (schema, depth) => isSimple(schema, depth + 1),
      test: (value, schema: SimpleSchema) => !Array.isArray(value) || value.every((item) => fits(schema, item)),
    },
  ],
  [
    'properties',
    { form: (map, depth) => isObject(map) && Object.values(map).every((schema) => isSimple(schema, depth + 1)), test: fitProperties },
  ],
  [
    'required',
    { form: isNames, test: (value, names: readonly string[]) => !isObject(value) || names.every((name) => Object.hasOwn(value, name)) },
  ],
  ['additionalProperties', { form: isBoolean, test: hasNoExtras }],
]);

function isType(wanted: Json): boolean {
  if (typeof wanted === 'string') return types.has(wanted);
  return isNames(wanted) && wanted.length > 0 && wanted.every((name) => types.has(name));
}

function isSimple(schema: Json, depth: number): schema is SimpleSchema {
  if (typeof schema === 'boolean') return true;
  if (!isObject(schema) || depth > deepest) return false;
  return Object.entries(schema).every(([name, wanted]) => keywords.get(name)?.form(wanted, depth) ?? false);
}

function fits(schema: Json, value: Json): boolean {
  if (!isObject(schema)) return schema === true;
  return Object.entries(schema).every(([name, wanted]) => keywords.get(name)?.test?.(value, wanted as never, schema) ?? true);
}

function fitProperties(value: Json, properties: JsonObject): boolean {
  if (!isObject(value)) return true;
  return Object.entries(properties).every(([name, schema]) => !Object.hasOwn(value, name) || fits(schema, value[name] as Json));
}

function hasNoExtras(value: Json, allowed: boolean, { properties }: JsonObject): boolean {
  if (allowed || !isObject(value)) return true;
  return Object.keys(value).every((name) => isObject(properties) && Object.hasOwn(properties, name));
}
