import { isObject, type Json } from '../../json.js';
import type { Patterns } from '../patterns.js';

export const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** How an operator divides the values of a field: the boundaries at which its result may change. */
export interface Cut {
  /** Values that `value` names, one by one; `pointer` leads from `value` to each. The field is compared with whole values. */
  readonly named?: readonly { readonly value: Json; readonly pointer: string }[];
  /** Other values with a different result than those around them. */
  readonly values?: readonly Json[];
  /** The result changes at this number. */
  readonly bound?: number;
  /** The result depends on whether a text or a list contains this. */
  readonly part?: Json;
  /** The result depends on whether a text matches this regular expression. */
  readonly pattern?: string;
  /** With `part`: true where it is not contained. */
  readonly negated?: true;
}

/** One way to compare a field with `value`. */
export interface Operator {
  readonly name: string;
  /** Types of field for which it can hold. */
  readonly takes: readonly JsonType[];
  /** Types of field for which it makes sense, where those are fewer. */
  readonly suits?: readonly JsonType[];
  /** Types `value` may have; undefined where it needs none. */
  readonly expects: readonly JsonType[] | undefined;
  /** Whether it compares texts, so that an expectation may ignore their case. Default false. */
  readonly comparesTexts?: true;
  /** The result for a missing field. */
  readonly whenMissing: (expected: Json | undefined) => boolean;
  /** The result for a field of a supported type; undefined where it needs a pattern that is missing or invalid. */
  readonly compare: (actual: Json, expected: Json | undefined, patterns: Patterns | undefined) => boolean | undefined;
  readonly cut: (expected: Json | undefined) => Cut;
}

export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

/** A value with its texts in lower case, for comparisons that ignore case. Field names are unchanged. */
export function foldCase(value: Json): Json {
  if (typeof value === 'string') return value.toLowerCase();
  if (Array.isArray(value)) return value.map(foldCase);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, foldCase(inner)])) : value;
}

/** Whether an operator can compare with this `value` at all; with any other the result is unknown. */
export function isUsable({ expects }: Operator, expected: Json | undefined): boolean {
  return expects === undefined || (expected !== undefined && expects.includes(typeOf(expected)));
}

/**
 * Whether the field (undefined: missing) satisfies the operator. Undefined where it cannot compare with `expected`: neither it nor its negation
 * holds.
 */
export function meets(operator: Operator, actual: Json | undefined, expected: Json | undefined, patterns?: Patterns): boolean | undefined {
  if (!isUsable(operator, expected)) return undefined;
  if (actual === undefined) return operator.whenMissing(expected);
  return operator.takes.includes(typeOf(actual)) ? operator.compare(actual, expected, patterns) : false;
}
