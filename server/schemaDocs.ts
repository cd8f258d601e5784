import { providerOptions } from '../core/generated/providerOptions.js';
import { isObject, type Json, type JsonObject, listOf } from '../core/json.js';
import type { Kind } from '../core/kinds.js';
import type { ProviderOptions } from '../core/llm/providers/provider.js';
import agent from '../schemas/agent.schema.json' with { type: 'json' };
import settings from '../schemas/agentstack.schema.json' with { type: 'json' };
import baseline from '../schemas/baseline.schema.json' with { type: 'json' };
import definitions from '../schemas/definitions.schema.json' with { type: 'json' };
import llm from '../schemas/llm.schema.json' with { type: 'json' };
import lock from '../schemas/lock.schema.json' with { type: 'json' };
import mcp from '../schemas/mcp.schema.json' with { type: 'json' };
import orchestration from '../schemas/orchestration.schema.json' with { type: 'json' };
import payload from '../schemas/payload.schema.json' with { type: 'json' };
import persona from '../schemas/persona.schema.json' with { type: 'json' };
import prompt from '../schemas/prompt.schema.json' with { type: 'json' };
import rootMcp from '../schemas/rootMcp.schema.json' with { type: 'json' };
import system from '../schemas/system.schema.json' with { type: 'json' };
import vscodeMcp from '../schemas/vscodeMcp.schema.json' with { type: 'json' };
import { jsonSchemaRef, jsonSchemaWords } from './jsonSchemaWords.js';
import type { Path } from './jsonTree.js';

/** A schema of one value. */
export interface SchemaPlace {
  /** With its `$ref` resolved. Keywords beside the `$ref`, such as a description, win. */
  readonly schema: JsonObject;
  /** Name of the shared definition it comes from, e.g. `persona_key`, `condition`; `json-schema#` for a schema inside output_schema. */
  readonly definition: string | undefined;
}

/** Documentation of a field. */
export interface FieldDocs {
  readonly name: string;
  /** One or more sentences; empty if the schema has no description. */
  readonly description: string;
  /** JSON types without `null`; empty for any. */
  readonly types: readonly string[];
  /** Without null. */
  readonly values: readonly Json[] | undefined;
  readonly default: Json | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly examples: readonly Json[];
  /** Whether the object around it requires it. */
  readonly required: boolean;
}

const roots: Readonly<Record<Kind, JsonObject>> = {
  settings,
  agent,
  baseline,
  llm,
  lock,
  mcp,
  orchestration,
  payload,
  persona,
  prompt,
  rootMcp,
  system,
  vscodeMcp,
};
const shared: JsonObject = definitions.definitions;
/** Fields that hold schemas. */
const schemaFields: readonly unknown[] = ['output_schema', 'input_schema'];

/**
 * The subschemas that describe the value at a path, the most specific first. Alternatives (`anyOf`, `then`, `else`) are included whether or
 * not their condition holds, since only the path is known.
 *
 * @param provider the one that gets the `options` on the path; undefined where it is not known, so that they may be any
 */
export function schemasAt(kind: Kind, path: Path, provider?: string): readonly SchemaPlace[] {
  let places: readonly SchemaPlace[] = [followed(roots[kind])];
  for (const segment of path) places = placesBelow(places, segment, provider);
  return places;
}

function placesBelow(places: readonly SchemaPlace[], segment: string | number, provider?: string): readonly SchemaPlace[] {
  const next: SchemaPlace[] = [];
  for (const place of places) {
    for (const part of partsOf(place)) {
      const child = childOf(part.schema, segment);
      if (isObject(child) && !next.some(({ schema }) => schema === child)) next.push(withOptions(followed(child), provider));
    }
  }
  return next;
}

/** The `options` of a profile, with those that its provider documents. */
function withOptions({ schema, definition }: SchemaPlace, provider: string | undefined): SchemaPlace {
  const options = definition === 'options' ? optionsOf(provider) : undefined;
  return { schema: options === undefined ? schema : { ...schema, ...options.schema }, definition };
}

/** The documented options of a provider; undefined where there are none. */
export function optionsOf(provider: string | undefined): ProviderOptions | undefined {
  return providerOptions.find(({ name }) => name === provider);
}

/** Documentation of the field or item at a path; undefined where the schema has none. `provider` as in `schemasAt`. */
export function fieldDocs(kind: Kind, path: Path, provider?: string): FieldDocs | undefined {
  const last = path.at(-1);
  const around = last === undefined ? [] : schemasAt(kind, path.slice(0, -1), provider);
  const places = last === undefined ? schemasAt(kind, path) : placesBelow(around, last, provider);
  const [first] = places;
  if (first === undefined) return undefined;
  const name = String(last ?? '');
  const required = around.some(({ schema }) => listOf(schema.required).includes(name));
  const described = places.find(({ schema }) => typeof schema.description === 'string') ?? first;
  const values = valuesOf(described.schema);
  return {
    name,
    description: typeof described.schema.description === 'string' ? described.schema.description : '',
    types: typesOf(described.schema),
    values,
    default: described.schema.default,
    minimum: numberIn(described.schema.minimum),
    maximum: numberIn(described.schema.maximum),
    examples: listOf(described.schema.examples),
    required,
  };
}

/** The types that a schema allows, without `null`; empty if it has no `type`. */
export function typesOf({ type }: JsonObject): readonly string[] {
  const types: readonly Json[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return types.filter((type) => typeof type === 'string' && type !== 'null') as string[];
}

/** The values that a schema lists, without null; undefined if it lists no values. */
export function valuesOf({ enum: listed, const: only }: JsonObject): readonly Json[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(listed) ? (listed as readonly Json[]).filter((value) => value !== null) : undefined;
}

/** A place and its alternatives: `allOf`, `anyOf`, `oneOf`, `then`, `else`, and JSON Schema itself for a field that holds a schema. */
export function partsOf(place: SchemaPlace): readonly SchemaPlace[] {
  const parts: SchemaPlace[] = [];
  const open: SchemaPlace[] = [place];
  for (let next = open.shift(); next !== undefined && parts.length < mostParts; next = open.shift()) {
    const { schema, definition } = next;
    parts.push(next);
    if (schemaFields.includes(definition)) open.push(followed({ $ref: jsonSchemaRef }));
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      for (const part of listOf(schema[keyword])) if (isObject(part)) open.push(followed(part));
    }
    for (const part of [schema.then, schema.else]) if (isObject(part)) open.push(followed(part));
  }
  return parts;
}

/** A guard against cycles: no place of the config schemas has nearly as many alternatives. */
const mostParts = 64;

/** A schema with its `$ref` resolved. */
export function followRef(schema: JsonObject): JsonObject {
  return schema.$ref === undefined ? schema : followed(schema).schema;
}

/** `agent-stack:agent.schema.json`: the value of a file's `$schema`. */
export function schemaIdOf(kind: Kind): string {
  return String(roots[kind].$id);
}

function followed(schema: JsonObject): SchemaPlace {
  let current = schema;
  let definition: string | undefined;
  for (let ref = current.$ref; typeof ref === 'string'; ref = current.$ref) {
    definition = nameOf(ref);
    const target = ref === jsonSchemaRef ? jsonSchemaWords : shared[definition];
    if (!isObject(target)) throw new Error(`A $ref that our schemas do not use: ${ref}`);
    // Callers compare schemas by identity, so a reference without siblings returns the definition itself.
    current = Object.keys(current).length === 1 ? target : withBeside(target, current);
  }
  return { schema: current, definition };
}

function withBeside(target: JsonObject, { $ref: _, ...beside }: JsonObject): JsonObject {
  return { ...target, ...beside };
}

function nameOf(ref: string): string {
  return ref === jsonSchemaRef ? jsonSchemaRef : ref.slice(ref.indexOf('#/definitions/') + '#/definitions/'.length);
}

function childOf({ properties, items, prefixItems, additionalProperties }: JsonObject, segment: string | number): Json | undefined {
  if (typeof segment === 'number') return isObject(items) ? items : listOf(prefixItems)[segment];
  if (isObject(properties) && Object.hasOwn(properties, segment)) return properties[segment];
  return additionalProperties;
}

function numberIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
