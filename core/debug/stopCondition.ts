import type { Stop } from '../agent/gate.js';
import { operators } from '../generated/operators.js';
import type { JsonObject } from '../json.js';
import { parseJson } from '../jsonText/parseJson.js';
import { didYouMean, nearestNames } from '../names.js';
import { judgeExpression, type Truth, testsIn } from '../routing/evaluateCondition.js';
import { findOperator } from '../routing/operators/findOperator.js';
import { isUsable, typeOf } from '../routing/operators/operator.js';
import { loadPatterns } from '../routing/patterns.js';
import { type Expression, readCondition, readTree } from '../routing/readCondition.js';
import { listed } from '../words.js';

/** A condition of a breakpoint. */
export interface StopCondition {
  /** The values at a stop that it reads: `answer`, `arguments`. */
  readonly roots: readonly string[];
  /** Whether it holds at a stop with these values; undefined: not known. `notes` say what is missing or cannot be compared. */
  judge(stop: Stop, values: JsonObject): { readonly truth: Truth; readonly notes: readonly string[] };
}

const example = '{"field": "answer.output.label", "operator": "equals", "value": "bug"}';
const fields = ['any', 'not', 'field', 'output_field', 'context_field', 'task', 'status', 'operator', 'value'];

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
  const expression = readTree(value, '', (leaf, pointer) => {
    const fault = faultOf(leaf);
    if (fault !== undefined) faults.push(fault);
    return readLeaf(leaf, pointer);
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
  const roots = tests.map((test) => (test.type === 'field' && test.task === undefined ? (test.segments[0] ?? '') : 'outcomes'));
  return {
    roots: [...new Set(roots)],
    judge(stop, values) {
      const outcomes = new Map(stop.at === 'route' ? Object.entries(stop.outcomes) : []);
      const context = { context: values.input ?? {}, ...values };
      return judgeExpression(expression, { outcomes, context, patterns, isStop: true });
    },
  };
}

/** What the reader of routing conditions does not know is a path in what the stop shows. */
function readLeaf(leaf: JsonObject, pointer: string): Expression {
  const { field, output_field, context_field, task, ...others } = leaf;
  if (task !== undefined) return readCondition(leaf, pointer);
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
  const unknown = Object.keys(leaf).find((key) => !fields.includes(key));
  if (unknown !== undefined)
    return `A condition has no ${JSON.stringify(unknown)}.${didYouMean(nearestNames(unknown, fields))} For example ${example}.`;
  const { field, output_field, context_field, task, status, operator: name, value } = leaf;
  if ([field, output_field, context_field, status].filter((each) => each !== undefined).length !== 1)
    return `A condition tests one of "field", "output_field", "context_field" and "status": ${example}.`;
  if (status !== undefined)
    return typeof task === 'string' && (status === 'success' || status === 'failure')
      ? undefined
      : 'A "status" is "success" or "failure", of a "task".';
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
