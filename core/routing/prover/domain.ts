import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import type { OutputContract } from '../../schema/outputContract.js';
import { resolved } from '../../schema/schemaChild.js';
import { type JsonType, jsonTypes, typeOf } from '../operators/operator.js';

/** A set of values of one sort. A field's domain is the union of such parts, and never lacks an allowed value. */
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
  /** All of them are multiples of it; undefined where any number between the limits may be one. */
  readonly step: number | undefined;
}

export interface StringPart {
  readonly type: 'string';
  readonly minLength: number;
  readonly maxLength: number;
  /** A regular expression that all of them match. */
  readonly pattern: string | undefined;
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

export interface Domain {
  readonly parts: readonly Part[];
  readonly types: readonly JsonType[];
  /** The parts contain only legal values, apart from lists and objects. */
  readonly exact: boolean;
}

const deepest = 16;

/** At least the values that fit the schema. Unknown keywords widen the domain. */
export function domainOf(schema: Json, contract: OutputContract): Domain {
  const followed = resolved(contract, schema);
  const parts = partsIn(followed, contract, 0);
  const types = new Set<JsonType>();
  for (const part of parts) {
    if (part.type !== 'values') types.add(part.type);
    else for (const value of part.values) types.add(typeOf(value));
  }
  return { parts, types: [...types], exact: isExact(followed) };
}

/** Keywords that the parts follow exactly, and those without effect on values. */
const exactKeywords = new Set(
  'type enum const minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength title description default examples $comment'.split(
    ' ',
  ),
);

function isExact(schema: Json): boolean {
  if (!isObject(schema)) return true;
  let isPlain = true;
  let isListed = false;
  let isLimited = false;
  for (const keyword in schema) {
    isPlain &&= exactKeywords.has(keyword);
    if (keyword === 'enum' || keyword === 'const') isListed = true;
    else isLimited ||= keyword.startsWith('min') || keyword.startsWith('max') || keyword.startsWith('exclusive');
  }
  // Limits beside a list of values are checked for each value.
  return isPlain && !(isListed && isLimited);
}

function partsIn(schema: Json, contract: OutputContract, depth: number): readonly Part[] {
  const followed = depth === 0 ? schema : resolved(contract, schema);
  if (followed === false) return [];
  if (!isObject(followed) || depth > deepest) return anything;
  const types = typesOf(followed.type);
  const listed = Object.hasOwn(followed, 'const') ? [followed.const as Json] : followed.enum;
  if (Array.isArray(listed)) return narrowed([{ type: 'values', values: listed as readonly Json[] }], types, isWhole(followed.type));

  const alternatives =
    followed.anyOf === undefined && followed.oneOf === undefined ? [] : [...listOf(followed.anyOf), ...listOf(followed.oneOf)];
  const narrower = alternatives.length > 0 ? alternatives : listOf(followed.allOf).slice(0, 1);
  if (narrower.length === 0) return (types ?? jsonTypes).map((type) => partOf(type, followed, isWhole(followed.type)));
  return narrowed(
    narrower.flatMap((part) => partsIn(part, contract, depth + 1)),
    types,
    isWhole(followed.type),
  );
}

function narrowed(parts: readonly Part[], types: readonly JsonType[] | undefined, whole: boolean): readonly Part[] {
  return types === undefined ? parts : parts.flatMap((part) => within(part, types, whole));
}

function within(part: Part, types: readonly JsonType[], whole: boolean): readonly Part[] {
  if (part.type !== 'values') return types.includes(part.type) ? [part] : [];
  return [
    {
      type: 'values',
      values: part.values.filter(
        (value) => types.includes(typeOf(value)) && (!whole || typeof value !== 'number' || Number.isInteger(value)),
      ),
    },
  ];
}

function typesOf(type: Json | undefined): readonly JsonType[] | undefined {
  const names = typeof type === 'string' ? [type] : Array.isArray(type) ? type : undefined;
  if (names === undefined) return undefined;
  return jsonTypes.filter((name) => names.includes(name) || (name === 'number' && names.includes('integer')));
}

const isWhole = (type: Json | undefined) =>
  type === 'integer' || (Array.isArray(type) && type.includes('integer') && !type.includes('number'));

function partOf(type: JsonType, schema: JsonObject, whole: boolean): Part {
  switch (type) {
    case 'null':
      return { type: 'values', values: [null] };
    case 'boolean':
      return { type: 'values', values: [true, false] };
    case 'number':
      return numberPart(schema, whole);
    case 'string':
      return {
        type: 'string',
        minLength: numberOr(schema.minLength, 0),
        maxLength: numberOr(schema.maxLength, Number.POSITIVE_INFINITY),
        pattern: typeof schema.pattern === 'string' ? schema.pattern : undefined,
        samples: schema.examples === undefined ? [] : listOf(schema.examples).filter((sample) => typeof sample === 'string'),
      };
    case 'array':
      return {
        type: 'array',
        // A list of schemas, one for each place, is not followed.
        items: schema.items === undefined || Array.isArray(schema.items) || schema.prefixItems !== undefined ? true : schema.items,
        minItems: numberOr(schema.minItems, 0),
        maxItems: numberOr(schema.maxItems, Number.POSITIVE_INFINITY),
        unique: schema.uniqueItems === true,
      };
    case 'object':
      return { type: 'object', schema };
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
    step: stepOf(schema.multipleOf, whole),
  };
}

/** Whole numbers that are multiples of a fraction are left open. */
function stepOf(multipleOf: Json | undefined, whole: boolean): number | undefined {
  return typeof multipleOf === 'number' && multipleOf > 0 && (!whole || Number.isInteger(multipleOf)) ? multipleOf : undefined;
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

const anything: readonly Part[] = jsonTypes.map((type) => partOf(type, {}, false));
