import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { followRef, partsOf, type SchemaPlace } from '../schemaDocs.js';

/** A field the object around the cursor may have. */
export interface FittingField {
  readonly name: string;
  readonly schema: JsonObject;
  readonly need: 'required' | 'one-of' | 'optional';
}

/** The members an object has already. */
export interface Written {
  readonly keys: readonly string[];
  readonly scalarAt: (key: string) => Json | undefined;
}

/** The fields that the schemas of an object allow beside its present members, in schema order. */
export function fittingFields(places: readonly SchemaPlace[], { keys, scalarAt }: Written): readonly FittingField[] {
  const schemas = places.map(({ schema }) => schema);
  const present = new Set(keys);
  const now = demandsOf(schemas, present, scalarAt);
  const fields: FittingField[] = [];
  const seen = new Set(present);
  for (const place of places.flatMap(partsOf)) {
    const { properties } = place.schema;
    if (!isObject(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) {
      if (seen.has(name) || !isObject(schema)) continue;
      seen.add(name);
      const then = now.isConditional ? demandsOf(schemas, new Set([...present, name]), scalarAt) : now;
      const clashes = [...then.refused].some((key) => key === name || (present.has(key) && !now.refused.has(key)));
      if (clashes || (present.size >= then.most && present.size <= now.most)) continue;
      fields.push({
        name,
        schema: followRef(schema),
        need: now.required.has(name) ? 'required' : now.oneOf.has(name) ? 'one-of' : 'optional',
      });
    }
  }
  return fields;
}

interface Demands {
  readonly required: Set<string>;
  /** One of these is required, and none is present. */
  readonly oneOf: Set<string>;
  readonly refused: Set<string>;
  most: number;
  /** Whether the demands depend on which keys are present. */
  isConditional: boolean;
}

/** What the schemas demand of an object with these keys, with `if` and `dependencies` evaluated. */
function demandsOf(schemas: readonly JsonObject[], keys: ReadonlySet<string>, scalarAt: Written['scalarAt']): Demands {
  const demands: Demands = {
    required: new Set(),
    oneOf: new Set(),
    refused: new Set(),
    most: Number.POSITIVE_INFINITY,
    isConditional: false,
  };
  const visit = (declared: Json | undefined): void => {
    if (!isObject(declared)) return;
    const schema = followRef(declared);
    for (const name of stringsIn(schema.required)) demands.required.add(name);
    if (isObject(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) if (property === false) demands.refused.add(name);
    }
    if (typeof schema.maxProperties === 'number') demands.most = Math.min(demands.most, schema.maxProperties);
    if (schema.dependencies !== undefined || schema.if !== undefined) demands.isConditional = true;
    if (isObject(schema.dependencies)) {
      for (const [name, dependency] of Object.entries(schema.dependencies)) if (keys.has(name)) visit(dependency);
    }
    for (const alternatives of [schema.anyOf, schema.oneOf]) {
      if (!Array.isArray(alternatives)) continue;
      const listed = (alternatives as readonly Json[]).map((alternative) => (isObject(alternative) ? stringsIn(alternative.required) : []));
      if (!listed.some((names) => names.every((name) => keys.has(name)))) for (const name of listed.flat()) demands.oneOf.add(name);
    }
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf as readonly Json[]) visit(part);
    if (schema.if !== undefined) visit(holds(schema.if, keys, scalarAt) ? schema.then : schema.else);
  };
  for (const schema of schemas) visit(schema);
  return demands;
}

/** Whether an object with these keys satisfies an `if`, as far as the schemas of config files use it. */
function holds(condition: Json, keys: ReadonlySet<string>, scalarAt: Written['scalarAt']): boolean {
  if (!isObject(condition)) return condition !== false;
  const { type, required, properties, anyOf, allOf } = condition;
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) return false;
  if (!stringsIn(required).every((name) => keys.has(name))) return false;
  if (isObject(properties)) {
    for (const [name, property] of Object.entries(properties)) {
      if (keys.has(name) && isObject(property) && property.const !== undefined && scalarAt(name) !== property.const) return false;
    }
  }
  if (Array.isArray(anyOf) && !anyOf.some((part: Json) => holds(part, keys, scalarAt))) return false;
  return !Array.isArray(allOf) || allOf.every((part: Json) => holds(part, keys, scalarAt));
}

function stringsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((item) => typeof item === 'string') : [];
}
