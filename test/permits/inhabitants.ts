import { isObject, type Json, type JsonObject, listOf } from '../../core/json.js';

/** Stands in answers for what the model has read. */
export const everything = '⟪all⟫';
const most = 8;

const known = new WeakMap<JsonObject, readonly Json[]>();

/** Answers that fit a schema, with all that was read wherever a text may be. Without a schema an answer is a text, which may be JSON. */
export function inhabitants(schema: JsonObject | undefined, fits: (schema: JsonObject, value: Json) => boolean): readonly Json[] {
  if (schema === undefined) return [everything, JSON.stringify({ label: 'a', text: everything })];
  const answers = known.get(schema) ?? valuesOf(schema, schema, 0).filter((value) => isObject(value) && fits(schema, value));
  known.set(schema, answers);
  return answers.slice(0, most);
}

export function fill(value: Json, text: string): Json {
  if (typeof value === 'string') return value.replaceAll(everything, text);
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, text));
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, text)])) : value;
}

/** Many of the values that a schema allows, and some that it does not. */
export function valuesOf(schema: Json | undefined, root: JsonObject, depth: number): readonly Json[] {
  if (depth > 5) return [everything];
  if (!isObject(schema) || Object.keys(schema).length === 0) {
    return [{ label: 'a', text: everything, more: { text: everything } }, everything, [everything], { 0: everything }];
  }
  if (typeof schema.$ref === 'string') {
    const target = schema.$ref
      .slice(2)
      .split('/')
      .reduce((at: Json | undefined, part) => (isObject(at) ? at[part] : undefined), root);
    return valuesOf(target, root, depth + 1);
  }
  if (schema.const !== undefined) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  const parts = [...listOf(schema.anyOf), ...listOf(schema.oneOf), ...listOf(schema.allOf)];
  if (parts.length > 0 && schema.properties === undefined) return parts.flatMap((part) => valuesOf(part, root, depth + 1));
  const types =
    schema.type === undefined ? ['object', 'array', 'string'] : typeof schema.type === 'string' ? [schema.type] : listOf(schema.type);
  return types.flatMap((type): readonly Json[] => {
    switch (type) {
      case 'string':
        return [everything];
      case 'number':
      case 'integer':
        return [7];
      case 'boolean':
        return [true, false];
      case 'array':
        return listsOf(schema, root, depth);
      case 'object':
        return objectsOf(schema, root, depth);
      default:
        return [null];
    }
  });
}

function listsOf({ items, prefixItems }: JsonObject, root: JsonObject, depth: number): readonly Json[] {
  const first = listOf(prefixItems).map((part) => valuesOf(part, root, depth + 1)[0] ?? null);
  return [[...first, ...(items === false ? [] : valuesOf(items, root, depth + 1).slice(0, 2))], [everything], []];
}

function objectsOf({ properties, additionalProperties }: JsonObject, root: JsonObject, depth: number): readonly Json[] {
  const fields = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, part]) => [name, valuesOf(part, root, depth + 1)] as const,
  );
  const extra: JsonObject =
    additionalProperties === false ? {} : { more: valuesOf(additionalProperties, root, depth + 1)[0] ?? everything };
  const base = Object.fromEntries(fields.map(([name, values]) => [name, values[0] ?? null]));
  const varied = fields.flatMap(([name, values]) => [
    ...values.slice(1).map((value) => ({ ...base, [name]: value, ...extra })),
    Object.fromEntries(Object.entries(base).filter(([key]) => key !== name)),
  ]);
  return [{ ...base, ...extra }, ...varied, { 0: everything, ...base }, base];
}
