import { isObject, type Json } from '../../json.js';

/**
 * Whether a value surely fits a schema that says no more than a type and a list of scalars, as most fields of a config do. False means
 * that the schema compiler has to decide.
 */
export function fitsPlainly(schema: Json | undefined, value: Json): boolean {
  if (!isObject(schema)) return schema === true;
  for (const keyword in schema) {
    if (annotations.has(keyword)) continue;
    const wanted = schema[keyword];
    if (keyword === 'type' ? wanted !== typeOf(value) : keyword === 'enum' ? !Array.isArray(wanted) || !wanted.includes(value) : true)
      return false;
  }
  return true;
}

const annotations: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
