import { isObject, type Json } from '../../json.js';
import type { Patterns } from '../patterns.js';

export const jsonTypes = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** How an operator parts the values a field may have: those between which its answer may change. */
export interface Cut {
  /** Values that `value` names, one by one; `pointer` leads from `value` to each. The field is compared with them as wholes. */
  readonly named?: readonly { readonly value: Json; readonly pointer: string }[];
  /** Other values that are answered differently from those around them. */
  readonly values?: readonly Json[];
  /** The answer changes at this number. */
  readonly bound?: number;
  /** The answer depends on whether a text, or a list, holds this. */
  readonly part?: Json;
  /** The answer depends on whether a text matches this regular expression. */
  readonly pattern?: string;
  /** With `part`: true where it is not held. */
  readonly negated?: true;
}

/** One way to compare a field with `value`. */
export interface Operator {
  readonly name: string;
  /** Types of field it can say yes to. */
  readonly takes: readonly JsonType[];
  /** Types of field it makes sense on, where those are fewer. */
  readonly suits?: readonly JsonType[];
  /** Types `value` may have; undefined where it needs none. */
  readonly expects: readonly JsonType[] | undefined;
  /** Whether it compares texts, so that an expectation may ignore their case. Default false. */
  readonly comparesTexts?: true;
  /** The answer for a field that is not there. */
  readonly whenMissing: (expected: Json | undefined) => boolean;
  /** The answer for a field of a type it takes; undefined where it would need a pattern that it does not have, or that is none. */
  readonly compare: (actual: Json, expected: Json | undefined, patterns: Patterns | undefined) => boolean | undefined;
  readonly cut: (expected: Json | undefined) => Cut;
}

export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

/** A value with its texts in lower case, for comparisons that ignore it. Names of fields stay. */
export function foldCase(value: Json): Json {
  if (typeof value === 'string') return value.toLowerCase();
  if (Array.isArray(value)) return value.map(foldCase);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, foldCase(inner)])) : value;
}

/** Whether an operator can work with this `value` at all; with any other nothing is known. */
export function isUsable({ expects }: Operator, expected: Json | undefined): boolean {
  return expects === undefined || (expected !== undefined && expects.includes(typeOf(expected)));
}

/** Whether the field (undefined: missing) meets the operator. Undefined where the operator cannot work with `expected`: neither it nor its contrary holds. */
export function meets(operator: Operator, actual: Json | undefined, expected: Json | undefined, patterns?: Patterns): boolean | undefined {
  if (!isUsable(operator, expected)) return undefined;
  if (actual === undefined) return operator.whenMissing(expected);
  return operator.takes.includes(typeOf(actual)) ? operator.compare(actual, expected, patterns) : false;
}
