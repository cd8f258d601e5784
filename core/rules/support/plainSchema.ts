import { isObject, type Json, type JsonObject } from '../../json.js';

/**
 * Whether a schema is of the common kind that no rule has anything to say about as a schema: a closed object whose fields are all required,
 * each with a type, perhaps an enum of texts, a description or items likewise. Such a schema is valid in every dialect, within the limits of
 * strict mode, and without references, patterns and bounds. Told in one pass that makes nothing; false means no more than that the
 * rules have to look.
 */
export function isPlainSchema(schema: JsonObject): boolean {
  return isPlainObject(schema, { values: 0, units: 0 }, 0);
}

/** Well below what any provider's strict mode refuses (`strictLimits`). */
const most = { properties: 200, values: 250, units: 10_000, depth: 4 };

interface Sizes {
  values: number;
  units: number;
}

function isPlainObject(schema: JsonObject, sizes: Sizes, depth: number): boolean {
  if (schema.type !== 'object' || schema.additionalProperties !== false || depth > most.depth) return false;
  for (const keyword in schema) {
    if (keyword === 'type' || keyword === 'additionalProperties' || keyword === 'properties' || keyword === 'required') continue;
    if (!isAnnotation(keyword, schema[keyword])) return false;
  }
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required) || required.length > most.properties) return false;
  let count = 0;
  for (const name in properties) {
    // Nearly always in the order of the properties.
    if (required[count] !== name && !required.includes(name)) return false;
    count += 1;
    sizes.units += name.length;
    if (!isPlainField(properties[name], sizes, depth)) return false;
  }
  // Every name is in `required`, names differ, and there are as many: so `required` names each once and nothing else.
  return count === required.length && sizes.units <= most.units;
}

function isPlainField(field: Json | undefined, sizes: Sizes, depth: number): boolean {
  if (!isObject(field)) return false;
  const { type } = field;
  if (type === 'object') return isPlainObject(field, sizes, depth + 1);
  const isList = type === 'array';
  if (!isList && type !== 'string' && type !== 'number' && type !== 'integer' && type !== 'boolean') return false;
  for (const keyword in field) {
    const value = field[keyword];
    if (keyword === 'type' || isAnnotation(keyword, value)) continue;
    if (keyword === 'enum' && type === 'string') {
      if (!isPlainEnum(value, sizes)) return false;
    } else if (keyword !== 'items' || !isList || depth >= most.depth || !isPlainField(value, sizes, depth + 1)) return false;
  }
  return !isList || field.items !== undefined;
}

function isPlainEnum(values: Json | undefined, sizes: Sizes): boolean {
  if (!Array.isArray(values) || values.length === 0) return false;
  sizes.values += values.length;
  if (sizes.values > most.values) return false;
  for (const value of values) {
    if (typeof value !== 'string') return false;
    sizes.units += value.length;
  }
  return true;
}

function isAnnotation(keyword: string, value: Json | undefined): boolean {
  return (keyword === 'description' || keyword === 'title') && typeof value === 'string';
}
