import { isObject, type Json, type JsonObject } from '../../../json.js';
import { isMultipleOf } from '../../../jsonText/jsonCompare.js';
import { type LinearRegExp, linearRegExp } from '../../../schema/linearRegExp.js';
import type { OutputContract } from '../../../schema/outputContract.js';
import { isSchema } from '../../../schema/schemaPlaces.js';
import { fitsFormat } from './formats.js';

export type Schema = JsonObject | boolean;

/** The checks behind every value the offline provider makes, for one output schema. */
export interface Checks {
  /**
   * Whether a value satisfies a schema (draft-07 or 2020-12), so that a wrong guess is dropped instead of sent. For `format` it
   * accepts less than a validator would, never more.
   */
  fits(schema: Schema, value: Json): boolean;
  /** Uses the linear-time engine, as everywhere; a pattern it refuses matches nothing. */
  matches(pattern: string, text: string): boolean;
  /** Resolves the references of a schema; undefined for one that points nowhere. */
  targetsOf(schema: JsonObject): readonly Schema[] | undefined;
}

export function createChecks(contract: OutputContract): Checks {
  const patterns = new Map<string, LinearRegExp>();
  const matches = (pattern: string, text: string): boolean => {
    const compiled = patterns.get(pattern) ?? linearRegExp(pattern);
    patterns.set(pattern, compiled);
    return compiled.ok && compiled.test(text);
  };
  const targetsOf = (schema: JsonObject) => {
    const references = contract.referencesOf(schema);
    const targets = references.flatMap(({ target }) => (typeof target === 'object' ? [target.schema] : []));
    return targets.length < references.length ? undefined : targets;
  };

  const check = (schema: Schema, value: Json, depth: number): boolean => {
    if (typeof schema === 'boolean') return schema;
    // A reference that leads back to itself without descending has no constraint.
    if (depth > 200) return true;
    const on: On = (part, each = value) => !isSchema(part) || check(part, each, depth + 1);
    if (targetsOf(schema)?.every((target) => on(target)) !== true) return false;
    if (!fitsCombined(schema, value, on)) return false;
    if (typeof value === 'number') return fitsNumber(schema, value);
    if (typeof value === 'string') return fitsString(schema, value, matches);
    if (Array.isArray(value)) return fitsArray(schema, value, on);
    return isObject(value) ? fitsObject(schema, value, on, matches) : true;
  };
  return { fits: (schema, value) => check(schema, value, 0), matches, targetsOf };
}

type On = (part: Json | undefined, value?: Json) => boolean;
type Matches = Checks['matches'];

function fitsCombined(schema: JsonObject, value: Json, on: On): boolean {
  if (Object.hasOwn(schema, 'const') && !equal(schema.const!, value)) return false;
  if (Array.isArray(schema.enum) && !schema.enum.some((each: Json) => equal(each, value))) return false;
  if (schema.type !== undefined && !typesOf(schema).some((type) => hasType(value, type))) return false;
  if (listOf(schema.allOf).some((part) => !on(part))) return false;
  if (Array.isArray(schema.anyOf) && !listOf(schema.anyOf).some((part) => on(part))) return false;
  if (Array.isArray(schema.oneOf) && listOf(schema.oneOf).filter((part) => on(part)).length !== 1) return false;
  if (isSchema(schema.not) && on(schema.not)) return false;
  return !isSchema(schema.if) || on(on(schema.if) ? schema.then : schema.else);
}

function fitsNumber(schema: JsonObject, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) return false;
  if (typeof maximum === 'number' && value > maximum) return false;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return false;
  return typeof multipleOf !== 'number' || isMultipleOf(value, multipleOf);
}

function fitsString(schema: JsonObject, value: string, matches: Matches): boolean {
  const { minLength, maxLength, pattern, format } = schema;
  const length = lengthOf(value);
  if (typeof minLength === 'number' && length < minLength) return false;
  if (typeof maxLength === 'number' && length > maxLength) return false;
  if (typeof pattern === 'string' && !matches(pattern, value)) return false;
  return typeof format !== 'string' || fitsFormat(format, value);
}

function fitsArray(schema: JsonObject, value: readonly Json[], on: On): boolean {
  const { minItems, maxItems, uniqueItems, contains, minContains = 1, maxContains } = schema;
  if (typeof minItems === 'number' && value.length < minItems) return false;
  if (typeof maxItems === 'number' && value.length > maxItems) return false;
  if (uniqueItems === true && value.some((item, index) => value.slice(0, index).some((other) => equal(item, other)))) return false;
  if (value.some((item, index) => !on(itemSchema(schema, index), item))) return false;
  if (!isSchema(contains)) return true;
  const count = value.filter((item) => on(contains, item)).length;
  return count >= Number(minContains) && (typeof maxContains !== 'number' || count <= maxContains);
}

function fitsObject(schema: JsonObject, value: JsonObject, on: On, matches: Matches): boolean {
  const names = Object.keys(value);
  const has = (name: Json) => typeof name === 'string' && Object.hasOwn(value, name);
  const { minProperties, maxProperties, required, propertyNames } = schema;
  if (typeof minProperties === 'number' && names.length < minProperties) return false;
  if (typeof maxProperties === 'number' && names.length > maxProperties) return false;
  if (Array.isArray(required) && !required.every(has)) return false;
  if (names.some((name) => !on(propertyNames, name))) return false;
  if (names.some((name) => propertySchemas(schema, name, matches).some((part) => !on(part, value[name]!)))) return false;
  const dependencies = [schema.dependentRequired, schema.dependentSchemas, schema.dependencies].filter(isObject);
  return dependencies.every((each) =>
    Object.entries(each).every(([name, needed]) => !has(name) || (Array.isArray(needed) ? needed.every(has) : on(needed))),
  );
}

/** The subschemas that one member of an object has to satisfy. */
export function propertySchemas(schema: JsonObject, name: string, matches: Matches): Schema[] {
  const schemas: Json[] = [];
  const { properties, patternProperties, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) schemas.push(properties[name]!);
  if (isObject(patternProperties)) {
    for (const [pattern, part] of Object.entries(patternProperties)) if (matches(pattern, name)) schemas.push(part);
  }
  if (schemas.length === 0 && additionalProperties !== undefined) schemas.push(additionalProperties);
  return schemas.filter(isSchema);
}

/** The subschema for an item: for a tuple (`prefixItems`, or `items` as a list) its own, else the one for the rest. */
export function itemSchema({ prefixItems, items, additionalItems }: JsonObject, index: number): Schema | undefined {
  const tuple = Array.isArray(prefixItems) ? listOf(prefixItems) : Array.isArray(items) ? listOf(items) : [];
  const restSchema = Array.isArray(items) ? additionalItems : items;
  return tuple[index] ?? (isSchema(restSchema) ? restSchema : undefined);
}

export function typesOf({ type }: JsonObject): string[] {
  return (Array.isArray(type) ? type : [type]).filter((each): each is string => typeof each === 'string');
}

export function listOf(value: Json | undefined): Schema[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isSchema) : [];
}

/** Length as JSON Schema counts it, in code points. */
export function lengthOf(text: string): number {
  return [...text].length;
}

export function equal(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && equal((left as JsonObject)[name]!, (right as JsonObject)[name]!))
  );
}

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return type === typeof value;
  }
}
