import { isObject, type Json, type JsonObject } from '../json.js';
import { findOperator } from './operators/findOperator.js';
import type { Operator } from './operators/operator.js';

/** A comparison of one field. */
export interface FieldTest {
  readonly type: 'field';
  /** Task or step whose output is compared; undefined for the context. */
  readonly task: string | undefined;
  /** As written: `scores.style`. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly operator: Operator;
  readonly expected: Json | undefined;
  readonly pointer: string;
  /** Where `expected` comes from, if not from `value` below the pointer. */
  readonly expectedAt?: string | undefined;
}

export interface StatusTest {
  readonly type: 'status';
  readonly task: string;
  readonly success: boolean;
  readonly pointer: string;
}

/** What a condition compares. */
export type Comparison =
  | FieldTest
  | StatusTest
  /** A part that the schema rejects. Neither it nor its negation matches. */
  | { readonly type: 'malformed'; readonly pointer: string };

/** A condition as evaluator and prover see it. `pointer` is the place of each part, below the pointer it was read from. */
export type Expression =
  | Comparison
  | { readonly type: 'all' | 'any'; readonly parts: readonly Expression[] }
  | { readonly type: 'not'; readonly part: Expression };

/** Conditions nested deeper are treated as malformed, to protect the stack. */
const deepest = 500;

/** Reads a condition of CONFIG.md. Any value is accepted: files are judged while they are written. */
export function readCondition(condition: unknown, pointer = ''): Expression {
  return readTree(condition, pointer, readTest, 0);
}

/** Reads lists, `any` and `not`, with `readLeaf` for the comparisons in them. */
export function readTree(
  value: unknown,
  pointer: string,
  readLeaf: (comparison: JsonObject, pointer: string) => Expression,
  depth = 0,
): Expression {
  if (depth > deepest) return { type: 'malformed', pointer };
  const readAll = (list: readonly unknown[], at: string) =>
    list.map((part, index) => readTree(part, `${at}/${index}`, readLeaf, depth + 1));
  if (Array.isArray(value)) return { type: 'all', parts: readAll(value, pointer) };
  if (!isObject(value)) return { type: 'malformed', pointer };
  if (Array.isArray(value.any)) return { type: 'any', parts: readAll(value.any, `${pointer}/any`) };
  if (value.not !== undefined) return { type: 'not', part: readTree(value.not, `${pointer}/not`, readLeaf, depth + 1) };
  return readLeaf(value, pointer);
}

function readTest(condition: JsonObject, pointer: string): Expression {
  const task = condition.task ?? condition.step;
  const { status, output_field, context_field } = condition;
  if (status !== undefined) {
    if (typeof task !== 'string' || (status !== 'success' && status !== 'failure')) return { type: 'malformed', pointer };
    return { type: 'status', task, success: status === 'success', pointer };
  }
  const operator = findOperator(condition.operator);
  const path = output_field ?? context_field;
  if (operator === undefined || typeof path !== 'string' || path === '') return { type: 'malformed', pointer };
  if (output_field !== undefined && typeof task !== 'string') return { type: 'malformed', pointer };
  return {
    type: 'field',
    task: output_field === undefined ? undefined : (task as string),
    path,
    segments: path.split('.'),
    operator,
    expected: condition.value,
    pointer,
  };
}
