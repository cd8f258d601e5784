import { isObject, type Json, type JsonObject } from '../../json.js';
import { isLargeSchema } from './largeSchema.js';
import { schemaKeywords } from './schemaKeywords.js';

/** Keywords that rules look for, as bits that can be combined. */
export const sought = { enum: 1, pattern: 2, bound: 4, required: 8, reference: 16, name: 32 } as const;

/** What is in a schema, itself and every schema inside it. */
export interface Census {
  /** Bits of `sought`. */
  readonly keywords: number;
  /** How many schemas there are, `true` and `false` among them. */
  readonly schemas: number;
  /** The most schemas in one list, such as `anyOf`. */
  readonly longestList: number;
}

/**
 * The census of a large schema; undefined of others, which are looked at as fast. Those of the parts are kept as long as the parts, so that while
 * somebody types only the part that has changed is looked at again.
 */
export function censusOf(schema: JsonObject): Census | undefined {
  return known.get(schema) ?? (isLargeSchema(schema) ? take(schema, true) : undefined);
}

export function takeCensus(schema: JsonObject): Census {
  return censusOf(schema) ?? take(schema, false);
}

/** Of a part of a schema whose census has been taken; undefined where none is kept. */
export function censusOfPart(part: Json | undefined): Census | undefined {
  return isObject(part) ? known.get(part) : undefined;
}

/** Parsed values never change. */
const known = new WeakMap<JsonObject, Census>();

function take(schema: Json, keep: boolean): Census {
  if (!isObject(schema)) return typeof schema === 'boolean' ? lone : none;
  const before = known.get(schema);
  if (before !== undefined) return before;
  let keywords = 0;
  let schemas = 1;
  let longestList = 0;
  for (const keyword in schema) {
    keywords |= bits.get(keyword) ?? 0;
    const shape = schemaKeywords.get(keyword);
    const value = schema[keyword];
    if (shape === undefined || typeof value !== 'object' || value === null) continue;
    const parts = shape === 'one' && !Array.isArray(value) ? [value] : Object.values(value);
    if (Array.isArray(value)) longestList = Math.max(longestList, value.length);
    for (const part of parts) {
      const inside = take(part as Json, isObject(value) && parts.length >= many);
      keywords |= inside.keywords;
      schemas += inside.schemas;
      longestList = Math.max(longestList, inside.longestList);
    }
  }
  const census = { keywords, schemas, longestList };
  if (keep) known.set(schema, census);
  return census;
}

/** Of fewer members of one object nothing is kept. */
const many = 32;

const none: Census = { keywords: 0, schemas: 0, longestList: 0 };
const lone: Census = { ...none, schemas: 1 };

const bits: ReadonlyMap<string, number> = new Map<string, number>([
  ['enum', sought.enum],
  ['pattern', sought.pattern],
  ['patternProperties', sought.pattern],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'].map((name) => [name, sought.bound] as const),
  ['required', sought.required],
  ...['$ref', '$dynamicRef', '$recursiveRef'].map((name) => [name, sought.reference] as const),
  ['$anchor', sought.name],
  ['$id', sought.name],
]);
