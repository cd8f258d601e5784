import { isObject, type Json } from '../json.js';
import { findOperator } from './operators/index.js';
import type { Operator } from './operators/operator.js';

/** A comparison of one field. */
export interface FieldTest {
  readonly type: 'field';
  /** Task or step whose output is looked at; undefined for the context. */
  readonly task: string | undefined;
  /** As written: `scores.style`. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly operator: Operator;
  readonly expected: Json | undefined;
  readonly pointer: string;
}

export interface StatusTest {
  readonly type: 'status';
  readonly task: string;
  readonly success: boolean;
  readonly pointer: string;
}

/** A condition as evaluator and prover see it. `pointer` is where each part stands, below the pointer it was read from. */
export type Expression =
  | FieldTest
  | StatusTest
  | { readonly type: 'all' | 'any'; readonly parts: readonly Expression[] }
  | { readonly type: 'not'; readonly part: Expression }
  /** What the schema refuses. It never matches. */
  | { readonly type: 'malformed'; readonly pointer: string };

/** Conditions nested deeper are taken for malformed, before they exhaust the stack. */
const deepest = 500;

/** Reads a condition of CONFIG.md. Any value is accepted: files are judged while they are written. */
export function readCondition(condition: unknown, pointer = '', depth = 0): Expression {
  if (depth > deepest) return { type: 'malformed', pointer };
  if (Array.isArray(condition)) return { type: 'all', parts: readAll(condition, pointer, depth) };
  if (!isObject(condition)) return { type: 'malformed', pointer };
  if (Array.isArray(condition.any)) return { type: 'any', parts: readAll(condition.any, `${pointer}/any`, depth) };
  if (condition.not !== undefined) return { type: 'not', part: readCondition(condition.not, `${pointer}/not`, depth + 1) };

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

function readAll(list: readonly unknown[], pointer: string, depth: number): readonly Expression[] {
  return list.map((part, index) => readCondition(part, `${pointer}/${index}`, depth + 1));
}
