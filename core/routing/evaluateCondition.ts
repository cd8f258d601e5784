import type { Condition } from '../generated/types.js';
import type { Json, JsonObject } from '../json.js';
import { fieldAt } from './fieldAt.js';
import { isUsable, meets, typeOf } from './operators/operator.js';
import type { Patterns } from './patterns.js';
import { type Comparison, type Expression, type FieldTest, readCondition } from './readCondition.js';

/** How a task or step ended. */
export interface TaskOutcome {
  /** Only `completed` is a success. */
  readonly status: string;
  readonly output?: Json | undefined;
}

/** What a condition may read. */
export interface RoutingScope {
  /** Tasks of the team, or steps of the plan, by name. */
  readonly outcomes: ReadonlyMap<string, TaskOutcome>;
  readonly context: JsonObject;
  /** Needed where `usesPatterns` is true. */
  readonly patterns?: Patterns | undefined;
  /** `context` has the values of a stop, and a field of a type that its operator does not take is unknown, not different. */
  readonly isStop?: true;
}

export interface Evaluation {
  readonly matches: boolean;
  /** For the trace, a sentence each: what was missing or could not be compared, in order of evaluation. */
  readonly notes: readonly string[];
}

/**
 * Whether a condition holds. A task that did not complete has no fields, since its output was never checked. A missing field
 * matches `not exists`, `is_empty` and `not_equals` only. Lists and `any` stop at the part that decides. What cannot be evaluated (a malformed
 * part, a value that its operator cannot compare, an invalid pattern) is unknown, and so is its negation: a condition that depends on it does
 * not match.
 * @throws Error when the condition has `matches` and the scope no `patterns`
 */
export function evaluateCondition(condition: Condition | Json, scope: RoutingScope): Evaluation {
  const { truth, notes } = judgeExpression(readCondition(condition), scope);
  return { matches: truth === true, notes };
}

/** The same, with what is unknown told apart from what does not hold. @throws as `evaluateCondition` */
export function judgeExpression(expression: Expression, scope: RoutingScope): { readonly truth: Truth; readonly notes: readonly string[] } {
  const notes: string[] = [];
  return { truth: holds(expression, scope, notes), notes };
}

/** Whether a condition needs `patterns` (`loadPatterns`). */
export function usesPatterns(condition: Condition | Json): boolean {
  return testsIn(readCondition(condition)).some((test) => test.type === 'field' && test.operator.name === 'matches');
}

/** The comparisons in an expression, in order. */
export function testsIn(part: Expression): readonly Comparison[] {
  switch (part.type) {
    case 'all':
    case 'any':
      return part.parts.flatMap(testsIn);
    case 'not':
      return testsIn(part.part);
    default:
      return [part];
  }
}

/** Undefined: unknown. */
export type Truth = boolean | undefined;

function holds(part: Expression, scope: RoutingScope, notes: string[]): Truth {
  switch (part.type) {
    case 'all':
      return decided(part.parts, false, scope, notes);
    case 'any':
      return decided(part.parts, true, scope, notes);
    case 'not': {
      const truth = holds(part.part, scope, notes);
      return truth === undefined ? undefined : !truth;
    }
    case 'status': {
      const outcome = scope.outcomes.get(part.task);
      if (outcome === undefined) notes.push(`${JSON.stringify(part.task)} has not run.`);
      return (outcome?.status === 'completed') === part.success;
    }
    case 'field':
      return fieldHolds(part, scope, notes);
    case 'malformed':
      notes.push(`The condition at ${JSON.stringify(part.pointer)} is malformed.`);
      return undefined;
  }
}

/** @param deciding the truth value that decides them all */
function decided(parts: readonly Expression[], deciding: boolean, scope: RoutingScope, notes: string[]): Truth {
  let isUnknown = false;
  for (const part of parts) {
    const truth = holds(part, scope, notes);
    if (truth === deciding) return deciding;
    isUnknown ||= truth === undefined;
  }
  return isUnknown ? undefined : !deciding;
}

function fieldHolds(test: FieldTest, { outcomes, context, patterns, isStop }: RoutingScope, notes: string[]): Truth {
  const { task, segments, operator, expected } = test;
  if (operator.name === 'matches' && patterns === undefined) throw new Error('A condition with "matches" is evaluated without patterns.');
  const outcome = task === undefined ? undefined : outcomes.get(task);
  const root = task === undefined ? context : outcome?.status === 'completed' ? outcome.output : undefined;
  const actual = fieldAt(root, segments);
  const where = task !== undefined ? `The output of ${JSON.stringify(task)}` : isStop ? 'The stop' : 'The context';
  const note = noteOn(test, actual, where);
  if (note !== undefined) notes.push(note);
  const pattern = operator.name === 'matches' && typeof expected === 'string' ? patterns?.(expected) : undefined;
  if (pattern?.ok === false) notes.push(`The regular expression ${JSON.stringify(expected)} is not run: ${pattern.message}.`);
  if (isStop && actual !== undefined && !operator.takes.includes(typeOf(actual))) return undefined;
  return meets(operator, actual, expected, patterns);
}

function noteOn({ path, operator, expected }: FieldTest, actual: Json | undefined, where: string): string | undefined {
  if (!isUsable(operator, expected)) {
    return `${operator.name} cannot work with ${expected === undefined ? 'no value' : `a value of type ${typeOf(expected)}`}.`;
  }
  if (actual === undefined) return `${where} has no field ${JSON.stringify(path)}.`;
  const type = typeOf(actual);
  if (operator.takes.includes(type)) return undefined;
  return `${operator.name} does not take ${JSON.stringify(path)}, which is of type ${type}.`;
}
