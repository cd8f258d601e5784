import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { followRef, typesOf, valuesOf } from '../schemaDocs.js';
import { choice, type Draft, json, object, openList, openObject, raw, text } from './draft.js';

/** The value inserted for a schema: its default, a choice of its values, or a form with the required members. */
export function schemaDraft(declared: Json | undefined, depth = 0): Draft {
  const schema = isObject(declared) ? followRef(declared) : {};
  const values = valuesOf(schema);
  if (values !== undefined && values.length > 0) return choiceOf(values, schema.default);
  const [type] = typesOf(schema);
  switch (type) {
    case 'boolean':
      // The default need not be written down, so the other value is offered first.
      return choice(schema.default === true ? ['false', 'true'] : ['true', 'false'], 'raw');
    case 'integer':
    case 'number':
      return raw(JSON.stringify(numberFor(schema)));
    case 'array':
      return depth === 0 ? openList : json([]);
    case 'object':
      return objectOf(schema, depth);
    case 'string':
      return text(typeof schema.default === 'string' ? schema.default : '');
    default:
      return text();
  }
}

/** One of several values to choose from. The default need not be written down, so it comes last. */
export function choiceOf(values: readonly Json[], byDefault?: Json): Draft {
  const ordered = byDefault === undefined ? values : [...values.filter((value) => value !== byDefault), byDefault];
  if (ordered.length === 1) return json(ordered[0] as Json);
  if (ordered.every((value) => typeof value === 'string')) return choice(ordered);
  return choice(
    ordered.map((value) => JSON.stringify(value)),
    'raw',
  );
}

/** A choice of names; undefined where there are none or too many. */
export function chosenFrom(names: readonly string[]): Draft | undefined {
  return names.length === 0 || names.length > mostChoices ? undefined : choiceOf(names);
}

/** A longer choice is easier to search by typing. */
export const mostChoices = 30;

function objectOf(schema: JsonObject, depth: number): Draft {
  const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : [];
  const { properties } = schema;
  if (required.length === 0 || !isObject(properties) || depth > 2) return openObject;
  const members = required
    .filter((name) => typeof name === 'string')
    .map((name) => [name, Object.hasOwn(properties, name) ? schemaDraft(properties[name], depth + 1) : text()] as const);
  return object(...members);
}

function numberFor(schema: JsonObject): number {
  const { examples, minimum } = schema;
  if (typeof schema.default === 'number') return schema.default;
  const example: Json | undefined = Array.isArray(examples) ? examples[0] : undefined;
  if (typeof example === 'number') return example;
  return typeof minimum === 'number' ? minimum : 0;
}
