import { isObject, type Json } from '../../json.js';

/** Values that a schema may take in place of one it refuses, the likeliest first; to be checked, since other keywords may forbid them. */
export function fittingValues(schema: Json, value: Json): readonly Json[] {
  if (!isObject(schema)) return [];
  if (schema.const !== undefined) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  const types: readonly Json[] = Array.isArray(schema.type) ? schema.type : [schema.type ?? ''];
  return types.flatMap((type) => ofType(type, value, [schema.minimum, schema.maximum]));
}

function ofType(type: Json, value: Json, limits: readonly (Json | undefined)[]): readonly Json[] {
  switch (type) {
    case 'number':
    case 'integer': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      const near = typeof number === 'number' && Number.isFinite(number) ? [type === 'integer' ? Math.round(number) : number] : [];
      return [...near, ...limits.filter((limit) => typeof limit === 'number')];
    }
    case 'boolean':
      return String(value).toLowerCase() === 'false' ? [false] : String(value).toLowerCase() === 'true' ? [true] : [true, false];
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
    case 'array':
      return Array.isArray(value) ? [] : [[value], []];
    case 'null':
      return [null];
    default:
      return [];
  }
}
