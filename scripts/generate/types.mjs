import { compile } from 'json-schema-to-typescript';
import { followRef, resolved } from './readSchemas.mjs';

const banner = `// Made by scripts/generate.mjs from schemas/. Change the schemas, not this file.
import type { Json, JsonObject } from '../json.js';
`;

/**
 * TypeScript types of all schemas: an exported interface for every schema and every definition that has a title. Fields are
 * readonly, as all data is; free JSON is `Json` or `JsonObject`.
 */
export async function typesOf(schemas) {
  const interfaces = new Map();
  const aliases = new Map();
  const context = { schemas, interfaces, aliases };
  for (const [name, schema] of schemas) {
    if (name !== 'definitions') typeOf(context, name, schema);
    else for (const definition of Object.values(schema.definitions)) if (definition.title !== undefined) typeOf(context, name, definition);
  }
  for (const [name, schema] of effectiveSchemas(schemas)) typeOf(context, name, schema);
  const sorted = [...interfaces].sort(([left], [right]) => (left < right ? -1 : 1));
  const text = await compile({ title: 'Everything', definitions: Object.fromEntries(sorted) }, 'Everything', {
    bannerComment: '',
    format: true,
    style: { printWidth: 140, singleQuote: true },
    unreachableDefinitions: true,
  });
  const declarations = text.slice(text.indexOf('/**', text.indexOf('export interface Everything') + 1));
  const readonlyFields = declarations
    .replace(/^ {2}(?=[$\w'"]+\??:)/gm, '  readonly ')
    .replace(/\n \*\n \* This interface was referenced by [^/]*\n \*\//g, '\n */');
  return `${banner}\n${[...aliases.values()].join('\n')}\n${readonlyFields}`;
}

/** Layered objects after layering: no null is left, and what has a default is always there. Their names begin with `Effective`. */
function effectiveSchemas(schemas) {
  const { agent_fields, llm_fields } = schemas.get('definitions').definitions;
  return [agent_fields, llm_fields].map((schema) => ['definitions', effectiveSchema(schemas, 'definitions', schema)]);
}

function effectiveSchema(schemas, from, { title, description, properties, required = [] }) {
  const fields = Object.entries(properties).map(([name, property]) => [name, effectiveField(schemas, from, property)]);
  return {
    title: `Effective${title}`,
    description: `${description.replace(/\.$/, '')}, after layering.`,
    type: 'object',
    properties: Object.fromEntries(fields),
    additionalProperties: false,
    required: [...required, ...fields.filter(([, field]) => isAlwaysGiven(field)).map(([name]) => name)],
  };
}

/** What a schema refuses may still be in a draft: of an object that is replaced whole, the inside is not promised. */
function effectiveField(schemas, from, property) {
  const { name, schema } = resolved(schemas, from, property);
  const { properties, mergedByKey, description, ...rest } = schema;
  const type = [schema.type].flat().filter((each) => each !== 'null');
  if (mergedByKey && properties !== undefined) return { ...effectiveSchema(schemas, name, schema), description };
  const { title: _, required: __, ...plain } = rest;
  return { ...plain, description, type, enum: schema.enum?.filter((value) => value !== null) };
}

function isAlwaysGiven(field) {
  const parts = Object.values(field.properties ?? {});
  return field.default !== undefined || (parts.length > 0 && parts.every((part) => part.default !== undefined));
}

/** The type of a value as TypeScript writes it. What has a title is declared on the way and stands as its name. */
function typeOf(context, from, schema) {
  if (schema.$ref !== undefined) {
    const target = followRef(context.schemas, from, schema.$ref);
    return typeOf(context, target.name, target.schema);
  }
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.oneOf !== undefined) return unionType(context, from, schema);
  if (schema.type === undefined) return 'Json';
  return [schema.type]
    .flat()
    .map((type) => simpleType(context, from, schema, type))
    .join(' | ');
}

function simpleType(context, from, schema, type) {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      if (schema.title !== undefined) return `readonly ${declareUnion(context, from, schema)}[]`;
      return `readonly (${schema.items === undefined ? 'Json' : typeOf(context, from, schema.items)})[]`;
    case 'object':
      return objectType(context, from, schema);
    default:
      return type;
  }
}

function objectType(context, from, schema) {
  if (schema.then?.$ref !== undefined) return typeOf(context, from, schema.then);
  if (schema.properties !== undefined) return declareInterface(context, from, schema);
  if (typeof schema.additionalProperties === 'object') {
    return `{ readonly [key: string]: ${typeOf(context, from, schema.additionalProperties)} }`;
  }
  return 'JsonObject';
}

function unionType(context, from, schema) {
  const union = schema.oneOf.map((member) => typeOf(context, from, member)).join(' | ');
  if (schema.title === undefined) return union;
  context.aliases.set(schema.title, `/** ${schema.description} */\nexport type ${schema.title} = ${union};\n`);
  return schema.title;
}

/** A title on a list-or-object (a condition) names the union, which refers to itself. */
function declareUnion({ schemas, interfaces, aliases }, from, schema) {
  if (!aliases.has(schema.title)) {
    aliases.set(schema.title, '');
    const object = typeOf({ schemas, interfaces, aliases }, from, schema.then);
    aliases.set(schema.title, `/** ${schema.description} */\nexport type ${schema.title} = ${object} | readonly ${schema.title}[];\n`);
  }
  return schema.title;
}

function declareInterface(context, from, schema) {
  const { title } = schema;
  if (title === undefined) throw new Error(`${from}: an object with properties needs a title, the name of its type: ${schema.description}`);
  const { interfaces } = context;
  if (interfaces.has(title)) return title;
  interfaces.set(title, undefined);
  const properties = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    properties[name] = { description: descriptionOf(context, from, property), tsType: typeOf(context, from, property) };
  }
  const { description, required = [], additionalProperties } = schema;
  interfaces.set(title, { title, description, type: 'object', properties, required, additionalProperties: additionalProperties !== false });
  return title;
}

function descriptionOf(context, from, schema) {
  if (schema.description !== undefined || schema.$ref === undefined) return schema.description;
  const target = followRef(context.schemas, from, schema.$ref);
  return descriptionOf(context, target.name, target.schema);
}

const literal = (value) => (typeof value === 'string' ? `'${value}'` : String(value));
