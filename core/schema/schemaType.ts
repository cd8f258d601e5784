import { isObject, type Json, type JsonObject, listOf, valueAt } from '../json.js';

/** Depth to which references are followed; deeper values are any JSON, since a schema may contain itself. */
const deepest = 12;

/**
 * The TypeScript type of the values that a JSON Schema allows, as text. Types have no bounds, patterns or conditions: these are left out, so
 * every allowed value has the type, but not every value of the type is allowed.
 */
export function schemaType(schema: JsonObject, indent = ''): string {
  return typeOf(schema, { root: schema, indent, depth: 0 });
}

interface Place {
  readonly root: JsonObject;
  readonly indent: string;
  readonly depth: number;
}

function typeOf(schema: Json | undefined, place: Place): string {
  if (schema === false) return 'never';
  if (!isObject(schema) || place.depth > deepest) return 'Json';
  if (typeof schema.$ref === 'string') return typeOf(referred(schema.$ref, place.root), { ...place, depth: place.depth + 1 });
  if (schema.const !== undefined) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const parts = [ownType(schema, place), ...listOf(schema.allOf).map((part) => typeOf(part, place)), alternatives(schema, place)];
  const types = parts.filter((part) => part !== undefined && part !== 'Json') as string[];
  return types.length === 0 ? 'Json' : types.map((part) => (types.length > 1 && part.includes(' | ') ? `(${part})` : part)).join(' & ');
}

function alternatives(schema: JsonObject, place: Place): string | undefined {
  const either = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  return either.length === 0 ? undefined : union(either.map((part) => typeOf(part, place)));
}

function ownType(schema: JsonObject, place: Place): string | undefined {
  const { type, properties } = schema;
  if (type === undefined) return properties === undefined ? undefined : objectType(schema, place);
  return union((Array.isArray(type) ? type : [type]).map((name) => simpleType(name, schema, place)));
}

function simpleType(type: Json, schema: JsonObject, place: Place): string {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return isObject(schema.items) ? `readonly ${inBrackets(typeOf(schema.items, place))}[]` : 'readonly Json[]';
    case 'object':
      return objectType(schema, place);
    default:
      return 'Json';
  }
}

function objectType(schema: JsonObject, place: Place): string {
  const { properties, additionalProperties } = schema;
  const inner = { ...place, indent: `${place.indent}  `, depth: place.depth + 1 };
  const required = listOf(schema.required);
  const fields = Object.entries(isObject(properties) ? properties : {});
  if (fields.length === 0)
    return isObject(additionalProperties) ? `{ readonly [key: string]: ${typeOf(additionalProperties, inner)} }` : 'JsonObject';
  const lines = fields.map(([name, value]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${comment(value, inner.indent)}${inner.indent}readonly ${keyOf(name)}${mark}: ${typeOf(value, inner)};`;
  });
  return `{\n${lines.join('\n')}\n${place.indent}}`;
}

function comment(schema: Json, indent: string): string {
  const text = isObject(schema) && typeof schema.description === 'string' ? schema.description : '';
  const line = text.replaceAll('*/', '* /').replace(/\s+/gu, ' ').trim();
  return line === '' ? '' : `${indent}/** ${line} */\n`;
}

/** A key, in quotes only where it needs them. */
export function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function referred(reference: string, root: JsonObject): Json | undefined {
  if (reference === '#') return root;
  return reference.startsWith('#/') ? valueAt(root, decodeURIComponent(reference.slice(1))) : undefined;
}

function union(types: readonly string[]): string {
  return types.includes('Json') ? 'Json' : [...new Set(types)].join(' | ') || 'never';
}

function inBrackets(type: string): string {
  return / [|&] /.test(type) ? `(${type})` : type;
}

function literal(value: Json): string {
  return typeof value === 'object' && value !== null ? 'Json' : JSON.stringify(value);
}
