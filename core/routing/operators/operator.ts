import type { Json } from '../../json.js';
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

/** One way to compare a field with `value`. Total: every two JSON values have an answer. */
export interface Operator {
  readonly name: string;
  /** Types of field it can say yes to. */
  readonly takes: readonly JsonType[];
  /** Types of field it makes sense on, where those are fewer. */
  readonly suits?: readonly JsonType[];
  /** Types `value` may have; undefined where it needs none. */
  readonly expects: readonly JsonType[] | undefined;
  /** The answer for a field that is not there. */
  readonly whenMissing: (expected: Json | undefined) => boolean;
  /** The answer for a field of a type it takes; undefined only where it would need `patterns` and has none. */
  readonly compare: (actual: Json, expected: Json | undefined, patterns: Patterns | undefined) => boolean | undefined;
  readonly cut: (expected: Json | undefined) => Cut;
}

export function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

/** Whether an operator can work with this `value` at all; with any other it never matches. */
export function isUsable({ expects }: Operator, expected: Json | undefined): boolean {
  return expects === undefined || (expected !== undefined && expects.includes(typeOf(expected)));
}

/** Whether the field (undefined: missing) meets the operator. Undefined only where a pattern cannot be tried. */
export function meets(operator: Operator, actual: Json | undefined, expected: Json | undefined, patterns?: Patterns): boolean | undefined {
  if (!isUsable(operator, expected)) return false;
  if (actual === undefined) return operator.whenMissing(expected);
  return operator.takes.includes(typeOf(actual)) ? operator.compare(actual, expected, patterns) : false;
}
