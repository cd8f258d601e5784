import type { Stop } from '../agent/gate.js';
import { operators } from '../generated/operators.js';
import type { JsonObject } from '../json.js';
import { parseJson } from '../jsonText/parseJson.js';
import { didYouMean, nearestNames } from '../names.js';
import { judgeExpression, type Truth, testsIn } from '../routing/evaluateCondition.js';
import { findOperator } from '../routing/operators/findOperator.js';
import { isUsable, typeOf } from '../routing/operators/operator.js';
import { loadPatterns } from '../routing/patterns.js';
import { type Comparison, type Expression, readCondition, readTree } from '../routing/readCondition.js';
import { listed } from '../words.js';

/** A condition of a breakpoint. */
export interface StopCondition {
  /** The values at a stop that it reads: `answer`, `arguments`. */
  readonly roots: readonly string[];
  readonly tests: readonly Comparison[];
  /** Whether it holds at a stop with these values; undefined: not known. `notes` say what is missing or cannot be compared. */
  judge(stop: Stop, values: JsonObject): { readonly truth: Truth; readonly notes: readonly string[] };
}

const example = '{"field": "answer.output.label", "operator": "equals", "value": "bug"}';
export const conditionKeys = [
  'field',
  'output_field',
  'context_field',
  'task',
  'step',
  'status',
  'operator',
  'value',
  'any',
  'not',
] as const;

/**
 * Reads a condition of routing rules, as JSON. In addition it may test a `field` of what the stop shows, by the paths of Evaluate; without a `task`,
 * `output_field` is a field of the answer. `context_field` is the input where there is no context.
 */
export async function readStopCondition(text: string): Promise<StopCondition | { readonly reason: string }> {
  const { value, syntax } = parseJson(text.trim());
  if (value === undefined || syntax.length > 0) {
    const why = syntax.map(({ message }) => message).join(' ');
    return { reason: `A condition is JSON, like those of routing rules: ${example}. ${why}`.trim() };
  }
  const faults: string[] = [];
  const roots = new Set<string>();
  const expression = readTree(value, '', (leaf, pointer) => {
    const fault = faultOf(leaf);
    if (fault !== undefined) faults.push(fault);
    const test = readLeaf(leaf, pointer);
    const root = test.type === 'field' && test.task === undefined ? test.segments[0] : leaf.task === undefined ? 'steps' : 'outcomes';
    roots.add(root ?? '');
    return test;
  });
  const tests = testsIn(expression);
  const [fault] = faults;
  if (fault !== undefined) return { reason: fault };
  if (tests.some(({ type }) => type === 'malformed'))
    return { reason: `A condition is an object, or a list of which all must hold: ${example}.` };
  const needsPatterns = tests.some((test) => test.type === 'field' && test.operator.name === 'matches');
  const patterns = needsPatterns ? await loadPatterns() : undefined;
  for (const test of tests) {
    if (test.type !== 'field' || test.operator.name !== 'matches' || typeof test.expected !== 'string') continue;
    const pattern = patterns?.(test.expected);
    if (pattern?.ok === false) return { reason: `The regular expression ${JSON.stringify(test.expected)} is not run: ${pattern.message}.` };
  }
  return {
    roots: [...roots],
    tests,
    judge(stop, values) {
      const outcomes = new Map(Object.entries((stop.at === 'route' ? stop.outcomes : stop.plan_outcomes) ?? {}));
      const context = { context: values.input ?? {}, ...values };
      return judgeExpression(expression, { outcomes, context, patterns, isStop: true });
    },
  };
}

/** What the reader of routing conditions does not know is a path in what the stop shows. */
function readLeaf(leaf: JsonObject, pointer: string): Expression {
  const { field, output_field, context_field, ...others } = leaf;
  if (leaf.task !== undefined || leaf.step !== undefined) return readCondition(leaf, pointer);
  const path =
    typeof field === 'string'
      ? field
      : typeof output_field === 'string'
        ? `answer.output.${output_field}`
        : typeof context_field === 'string'
          ? `context.${context_field}`
          : undefined;
  return readCondition({ ...others, ...(path !== undefined && { context_field: path }) }, pointer);
}

/** Why a comparison can never be decided; undefined if it can. */
function faultOf(leaf: JsonObject): string | undefined {
  const unknown = Object.keys(leaf).find((key) => !(conditionKeys as readonly string[]).includes(key));
  if (unknown !== undefined)
    return `A condition has no ${JSON.stringify(unknown)}.${didYouMean(nearestNames(unknown, conditionKeys))} For example ${example}.`;
  const { field, output_field, context_field, task, step, status, operator: name, value } = leaf;
  if ([field, output_field, context_field, status].filter((each) => each !== undefined).length !== 1)
    return `A condition tests one of "field", "output_field", "context_field" and "status": ${example}.`;
  if (status !== undefined)
    return typeof (task ?? step) === 'string' && (status === 'success' || status === 'failure')
      ? undefined
      : 'A "status" is "success" or "failure", of a "task" or a "step".';
  const operator = findOperator(name);
  if (operator === undefined) {
    const names = operators.map((each) => each.name);
    const nearest = typeof name === 'string' ? didYouMean(nearestNames(name, names)) : '';
    return `There is no operator ${JSON.stringify(name) ?? 'in this condition'}.${nearest} There are: ${names.join(', ')}.`;
  }
  if (isUsable(operator, value)) return undefined;
  const isNot = value === undefined ? 'no value' : `a value of type ${typeOf(value)}`;
  return `${operator.name} needs a value of type ${listed(operator.expects ?? [], 'or').replaceAll('"', '')}, and has ${isNot}.`;
}
