import { isObject, type Json, type JsonObject } from '../../json.js';
import type { Expression } from '../readCondition.js';
import { provenParts } from '../readExpectation.js';
import type { ChoiceContext } from './question.js';
import { createModel, type FaultyTest, type ReadRule, type TaskContract } from './routingModel.js';
import { type Constraint, type Effort, search } from './search.js';

/** The schemas of the answers that are judged. */
export interface ExpectationScope {
  /** By `provenParts`; anything missing here may be any value. */
  readonly contracts: ReadonlyMap<string, TaskContract>;
  /** An orchestration that ends partially is also judged, without its answer. */
  readonly mayBePartial: boolean;
  /** Caches what it derives from a schema, for the next cases. */
  readonly contextOf: (schema: JsonObject) => ChoiceContext;
  /** Of all proofs of a file. When it is used up the rest stays unknown. */
  readonly effort: Effort;
}

export interface ExpectationProof {
  /** Expectations that make no sense. */
  readonly faults: readonly FaultyTest[];
  /** Entries that no run satisfies together, as few as were found; a single one contradicts itself. Empty if nothing is proven. */
  readonly conflict: readonly number[];
}

const nothing: ExpectationProof = { faults: [], conflict: [] };

/**
 * Decides whether any run can satisfy all expectations of a case. Its results are certain; it is silent where open texts, patterns or the bound on
 * work leave a question open.
 *
 * @param entries of `expect`, as `readExpectation` reads them
 */
export function proveExpectations(entries: readonly Expression[], scope: ExpectationScope): ExpectationProof {
  const { contracts, contextOf, effort } = scope;
  const names = new Set(entries.flatMap((entry) => [...partsIn(entry)]));
  const always = [...alwaysTrue(names, scope.mayBePartial)];
  // A run without an answer passes only if its end is compared.
  if (!scope.mayBePartial && !entries.some(looksAtEnd)) always.push(ended(provenParts.answer, true));
  const read = [...entries, ...always].map((expression): ReadRule => ({ pointer: '', condition: null, expression }));
  effort.left -= read.length;
  if (effort.left < 0) return nothing;
  const known = [...new Set([...names, provenParts.answer])];
  const { rules, tasks, variables, faults } = createModel(read, { known, contracts, contextOf });
  const hold = rules.map(({ formula, size }): Constraint => ({ formula, wanted: 1, size }));
  const isDead = (some: readonly number[]) => {
    const wishes = [...some.map((entry) => hold[entry] as Constraint), ...hold.slice(entries.length)];
    return search(wishes, variables, tasks.length, effort) === 'none';
  };
  let conflict = entries.map((_, index) => index);
  if (!isDead(conflict)) return { faults, conflict: [] };
  // Leave out what is not needed, the latest first.
  for (const entry of conflict.toReversed()) {
    const others = conflict.filter((other) => other !== entry);
    if (isDead(others)) conflict = others;
  }
  return { faults, conflict };
}

/** How the parts of a run depend on each other. */
function* alwaysTrue(names: ReadonlySet<string>, mayBePartial: boolean): Generator<Expression> {
  const { answer, text, run } = provenParts;
  if (names.has(run)) yield ended(run, true);
  if (names.has(text)) yield* [either(ended(text, false), ended(answer, true)), either(ended(text, true), ended(answer, false))];
  for (const name of names) {
    if (/^calls? /.test(name)) yield ended(name, true);
    if (!name.startsWith(provenParts.judge(''))) continue;
    // A judge that gave no verdict on an answer leaves the run unknown, and one is not asked where there is no answer.
    yield either(ended(name, true), ended(answer, false));
    if (!mayBePartial) yield either(ended(name, false), ended(answer, true));
  }
}

function looksAtEnd(expression: Expression): boolean {
  if (expression.type === 'status') return expression.task === provenParts.answer;
  if (expression.type === 'not') return looksAtEnd(expression.part);
  return (expression.type === 'all' || expression.type === 'any') && expression.parts.some(looksAtEnd);
}

function ended(task: string, success: boolean): Expression {
  return { type: 'status', task, success, pointer: '' };
}

function either(...parts: readonly Expression[]): Expression {
  return { type: 'any', parts };
}

function* partsIn(expression: Expression): Generator<string> {
  if (expression.type === 'field' || expression.type === 'status') {
    if (expression.task !== undefined) yield expression.task;
  } else if (expression.type === 'not') yield* partsIn(expression.part);
  else if (expression.type !== 'malformed') for (const part of expression.parts) yield* partsIn(part);
}

/**
 * What a run always has: counts of the tools, measures, and the teams of an orchestration in order.
 *
 * @param mostCalls model calls of a run at most, where that is known
 */
export function runContract(tools: readonly string[], teams: readonly Json[], mostCalls?: number): TaskContract {
  const count = { type: 'integer', minimum: 0 };
  const amount = { type: 'number', minimum: 0 };
  const measures = {
    cost_usd: amount,
    latency_ms: amount,
    input_tokens: count,
    output_tokens: count,
    model_calls: mostCalls === undefined ? count : { ...count, maximum: mostCalls },
    steps: count,
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  };
  const all = (properties: JsonObject): JsonObject => ({ type: 'object', properties, required: Object.keys(properties) });
  const route = { type: 'array', items: { enum: teams } };
  const tool = all(Object.fromEntries(tools.map((name) => [name, count])));
  return { output_schema: all({ tool, measure: all(measures), route }) };
}

/** How many calls of a tool have arguments that match conditions. */
export const callsSchema: JsonObject = { type: 'object', properties: { count: { type: 'integer', minimum: 0 } }, required: ['count'] };

/**
 * The names of a tool's arguments, without their values: a call that the tool rejects for them still counts. Undefined if it may have
 * any names.
 */
export function argumentsSchema(parameters: JsonObject): JsonObject | undefined {
  const schema = namesOnly(parameters, 0);
  return schema.properties === undefined ? undefined : schema;
}

/** Keywords beside which `properties` is not the whole list of names. */
const openKeywords = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas', 'dependencies'];

function namesOnly(schema: Json, depth: number): JsonObject {
  if (!isObject(schema) || !isObject(schema.properties) || depth > 16) return {};
  const { additionalProperties = false } = schema;
  if (additionalProperties !== false || openKeywords.some((keyword) => schema[keyword] !== undefined)) return {};
  const properties = Object.entries(schema.properties).map(([name, property]) => [name, namesOnly(property, depth + 1)]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
