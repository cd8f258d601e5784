import { isObject, type Json, type JsonObject } from '../../json.js';
import { evaluateCondition, type TaskOutcome } from '../evaluateCondition.js';
import type { Patterns } from '../patterns.js';
import { chooseValues } from './choices.js';
import type { Assignment } from './formula.js';
import { withField } from './objectChoices.js';
import { type ChoiceContext, noQuestion } from './question.js';
import type { Variable } from './variables.js';

/** A possible case, such as one that no rule matches. */
export interface Counterexample {
  /** Of the tasks that conditions read. Outputs fit their schemas. */
  readonly outcomes: ReadonlyMap<string, TaskOutcome>;
  readonly context: JsonObject;
  /** The fields that make it one. `value` undefined: missing. `task` undefined: of the context. */
  readonly fields: readonly { readonly task: string | undefined; readonly path: string; readonly value: Json | undefined }[];
}

/** A task as the prover sees it. */
export interface ProvenTask {
  readonly name: string;
  readonly schema: Json;
  readonly context: ChoiceContext;
}

/** Turns an assignment into a case. Undefined if a class has no example, or an output may not fit its schema. */
export function buildCounterexample(
  assignment: Assignment,
  tasks: readonly ProvenTask[],
  variables: readonly Variable[],
): Counterexample | undefined {
  const outcomes = new Map<string, TaskOutcome>();
  const fields: { task: string | undefined; path: string; value: Json | undefined }[] = [];
  const outputs = tasks.map(({ context, schema }, index) => (assignment.status[index] === 1 ? {} : sampleOutput(context, schema)));
  let contextObject: JsonObject = {};
  for (const [index, variable] of variables.entries()) {
    const choice = assignment.choice[index] as number;
    const isChosen = choice >= 0;
    if (assignment.status[variable.task] === 1 || (variable.task < 0 && !isChosen)) continue;
    const example = isChosen ? variable.classes[choice]?.example : variable.classes.find((other) => other.example !== undefined)?.example;
    if (example === undefined) return undefined;
    if (isChosen) fields.push({ task: tasks[variable.task]?.name, path: variable.segments.join('.'), value: example.value });
    if (variable.task < 0) contextObject = placed(contextObject, variable.segments, example.value);
    else {
      const output = outputs[variable.task] ?? {};
      // A text has no fields.
      if (isObject(output)) outputs[variable.task] = placed(output, variable.segments, example.value);
      else if (example.value !== undefined) return undefined;
    }
  }
  for (const [index, { name, schema, context }] of tasks.entries()) {
    const output = outputs[index];
    if (assignment.status[index] === 1) outcomes.set(name, { status: 'failed' });
    else if (output === undefined || context.fits(schema, output) !== true) return undefined;
    else outcomes.set(name, { status: 'completed', output });
  }
  return { outcomes, context: contextObject, fields };
}

/** The first rule that actually matches it, according to the evaluator that runs use: null if none does, undefined if that needs patterns. */
export function findMatch(
  { outcomes, context }: Counterexample,
  conditions: readonly Json[],
  patterns: Patterns | undefined,
): number | null | undefined {
  let isBlind = false;
  const tried: Patterns = (pattern) => {
    if (patterns !== undefined) return patterns(pattern);
    isBlind = true;
    return { ok: false, message: 'there is no engine' };
  };
  const rule = conditions.findIndex((condition) => evaluateCondition(condition, { outcomes, context, patterns: tried }).matches);
  return isBlind ? undefined : rule < 0 ? null : rule;
}

/** An output with the fields that the schema requires, or one that is no object where it allows none. */
function sampleOutput(context: ChoiceContext, schema: Json): Json {
  const { values } = chooseValues(context, noQuestion, schema, false);
  return values.find(isObject) ?? values[0] ?? {};
}

function placed(object: JsonObject, [key, ...rest]: readonly string[], value: Json | undefined): JsonObject {
  if (key === undefined) return object;
  if (rest.length === 0 && value === undefined) return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  if (rest.length === 0) return withField(object, key, value as Json);
  const inner = Object.hasOwn(object, key) ? object[key] : undefined;
  return withField(object, key, placed(isObject(inner) ? inner : {}, rest, value));
}
