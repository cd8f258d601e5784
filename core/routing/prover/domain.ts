import { isObject, type Json, type JsonObject } from '../../json.js';
import { type JsonType, jsonTypes, typeOf } from '../operators/operator.js';
import { listOf, resolve } from './outputSchema.js';

/** A set of values of one sort. A field's domain is the union of such parts, and never lacks a value the schema allows. */
export type Part =
  | { readonly type: 'values'; readonly values: readonly Json[] }
  | NumberPart
  | StringPart
  | ListPart
  | { readonly type: 'object'; readonly schema: Json };

export interface NumberPart {
  readonly type: 'number';
  readonly low: number;
  readonly high: number;
  readonly withLow: boolean;
  readonly withHigh: boolean;
  readonly whole: boolean;
}

export interface StringPart {
  readonly type: 'string';
  readonly minLength: number;
  readonly maxLength: number;
  /** Texts the schema gives as examples: likely to meet its `pattern` and `format`. */
  readonly samples: readonly string[];
}

export interface ListPart {
  readonly type: 'array';
  readonly items: Json;
  readonly minItems: number;
  readonly maxItems: number;
  readonly unique: boolean;
}

const deepest = 16;

/** At least the values that fit the schema. Keywords it does not know widen the domain. */
export function domainOf(schema: Json, root: Json, depth = 0): readonly Part[] {
  const resolved = resolve(schema, root);
  if (resolved === false) return [];
  if (!isObject(resolved) || depth > deepest) return jsonTypes.flatMap((type) => partsOf(type, {}));
  if (Object.hasOwn(resolved, 'const')) return [{ type: 'values', values: [resolved.const as Json] }];
  if (Array.isArray(resolved.enum)) return [{ type: 'values', values: resolved.enum }];

  const wanted = typesOf(resolved.type);
  const alternatives = [...listOf(resolved.anyOf), ...listOf(resolved.oneOf)];
  const narrower = alternatives.length > 0 ? alternatives : listOf(resolved.allOf).slice(0, 1);
  if (narrower.length === 0) return (wanted ?? jsonTypes).flatMap((type) => partsOf(type, resolved, isWhole(resolved.type)));
  const parts = narrower.flatMap((part) => domainOf(part, root, depth + 1));
  return wanted === undefined ? parts : parts.flatMap((part) => within(part, wanted));
}

/** The JSON types of a domain's values. */
export function typesIn(domain: readonly Part[]): readonly JsonType[] {
  return [...new Set(domain.flatMap((part): readonly JsonType[] => (part.type === 'values' ? part.values.map(typeOf) : [part.type])))];
}

function within(part: Part, types: readonly JsonType[]): readonly Part[] {
  if (part.type !== 'values') return types.includes(part.type) ? [part] : [];
  return [{ type: 'values', values: part.values.filter((value) => types.includes(typeOf(value))) }];
}

function typesOf(type: Json | undefined): readonly JsonType[] | undefined {
  const names = typeof type === 'string' ? [type] : Array.isArray(type) ? type : undefined;
  if (names === undefined) return undefined;
  return jsonTypes.filter((name) => names.includes(name) || (name === 'number' && names.includes('integer')));
}

const isWhole = (type: Json | undefined) =>
  type === 'integer' || (Array.isArray(type) && type.includes('integer') && !type.includes('number'));

function partsOf(type: JsonType, schema: JsonObject, whole = false): readonly Part[] {
  switch (type) {
    case 'null':
      return [{ type: 'values', values: [null] }];
    case 'boolean':
      return [{ type: 'values', values: [true, false] }];
    case 'number':
      return [numberPart(schema, whole)];
    case 'string':
      return [
        {
          type: 'string',
          minLength: numberOr(schema.minLength, 0),
          maxLength: numberOr(schema.maxLength, Number.POSITIVE_INFINITY),
          samples: [...listOf(schema.examples), schema.default].filter((sample) => typeof sample === 'string'),
        },
      ];
    case 'array':
      return [
        {
          type: 'array',
          // A list of schemas, one for each place, is not followed.
          items: schema.items === undefined || Array.isArray(schema.items) || schema.prefixItems !== undefined ? true : schema.items,
          minItems: numberOr(schema.minItems, 0),
          maxItems: numberOr(schema.maxItems, Number.POSITIVE_INFINITY),
          unique: schema.uniqueItems === true,
        },
      ];
    case 'object':
      return [{ type: 'object', schema }];
  }
}

function numberPart(schema: JsonObject, whole: boolean): NumberPart {
  const least = numberOr(schema.minimum, Number.NEGATIVE_INFINITY);
  const above = numberOr(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY);
  const most = numberOr(schema.maximum, Number.POSITIVE_INFINITY);
  const below = numberOr(schema.exclusiveMaximum, Number.POSITIVE_INFINITY);
  return {
    type: 'number',
    low: Math.max(least, above),
    high: Math.min(most, below),
    withLow: least > above,
    withHigh: most < below,
    whole,
  };
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
