import { isObject, type JsonObject } from '../../json.js';
import { nearestNames } from '../../names.js';
import { followRefs } from './resolveRef.js';
import { visitSchemas } from './visitSchemas.js';

/** The fields an object schema names. */
export interface OutputFields {
  readonly properties: JsonObject;
  /** Pointer of `properties` from the root schema. */
  readonly pointer: string;
  /** `additionalProperties` beside them, undefined when not given. */
  readonly additional: JsonObject[string] | undefined;
  readonly patterned: boolean;
}

/**
 * The fields of an output schema: those of its root, or of what the root's `$ref` leads to. Undefined when they cannot be listed (a
 * combination, a `$ref` to nothing): rules about fields have nothing to say then. A root without `properties` has none.
 */
export function findOutputFields(root: JsonObject): OutputFields | undefined {
  const place = typeof root.$ref === 'string' ? followRefs(root, { schema: root, pointer: '' }) : { schema: root, pointer: '' };
  if (place === undefined || !isObject(place.schema)) return undefined;
  const { schema, pointer } = place;
  if (schema.allOf !== undefined || schema.anyOf !== undefined || schema.oneOf !== undefined) return undefined;
  const properties = schema.properties ?? none;
  if (!isObject(properties)) return undefined;
  return {
    properties,
    pointer: `${pointer}/properties`,
    additional: schema.additionalProperties,
    patterned: schema.patternProperties !== undefined,
  };
}

/**
 * Tells the fields that look like a name, best first; none where there are so many that looking for each of many wrong names would take
 * long. The fields are listed when the first name is asked about.
 */
export function fieldFinder({ properties }: OutputFields): (name: string) => string[] {
  let names: readonly string[] | undefined;
  return (name) => {
    names ??= Object.keys(properties);
    return names.length > mostCompared ? [] : nearestNames(name, names);
  };
}

const mostCompared = 1_000;

/** Whether every `$ref` in a part of a schema leads somewhere; when not, nothing can be said about the part. */
export function isResolvable(root: JsonObject, schema: JsonObject[string] | undefined): boolean {
  return !visitSchemas(schema, (part) => typeof part.$ref === 'string' && followRefs(root, { schema: part, pointer: '' }) === undefined);
}

const none: JsonObject = {};
