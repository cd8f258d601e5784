import type { RunError, RunResult } from '../agent/events.js';
import { spentOf } from '../agent/runUsage.js';
import { errorLine } from '../errorTitles.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { fieldAt } from '../routing/fieldAt.js';
import { couldNotBeAsked } from './couldNotBeAsked.js';
import type { Actual, Subject } from './types.js';

/** The string under a key of an expectation; empty if the file is invalid. */
export function textOf(entry: JsonObject, key: string): string {
  const value = entry[key];
  return typeof value === 'string' ? value : '';
}

/** A field of a judge's verdict on the answer. Without a verdict, the expectation is unknown. */
export const judge: Subject = {
  key: 'judge',
  actual(entry, { result: { status }, judges }) {
    // Without an answer, the agent failed, not its judge.
    if (status === 'failed' || status === 'cancelled') return { value: undefined, because: 'There is no answer to judge.' };
    const name = textOf(entry, 'judge');
    const result = judges?.get(name);
    if (result === undefined) return { unknown: `The judge ${name} was not asked.` };
    if (result.status !== 'completed')
      return { unknown: `The judge ${name} failed: ${result.error === null ? result.status : errorLine(result.error)}` };
    return { value: fieldAt(result.output, textOf(entry, 'output_field').split('.')) };
  },
  words: (entry) => `${textOf(entry, 'output_field')} of ${textOf(entry, 'judge')}`,
};

/** How often a tool was called. */
export const tool: Subject = {
  key: 'tool',
  actual: (entry, { result }) => ({ value: result.tool_calls.filter(({ name }) => name === entry.tool).length }),
  words: (entry) => `the number of calls of ${textOf(entry, 'tool')}${entry.arguments === undefined ? '' : ' with such arguments'}`,
};

/** The tools that were called, in order. */
export const toolsInOrder: Subject = {
  key: 'tools_in_order',
  actual: (_entry, { result }) => ({ value: result.tool_calls.map(({ name }) => name) }),
  words: () => 'the list of tool calls',
};

/** Undefined if it is not known. */
type Measure = (result: RunResult) => number | undefined;

/** Every measure, in the order of the schema. */
export const measures: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  ['cost_usd', ({ metadata }) => (metadata.token_usage_incomplete ? undefined : (spentOf(metadata) ?? undefined))],
  ['latency_ms', ({ metadata }) => metadata.execution_time_ms],
  ['input_tokens', ({ metadata }) => (metadata.token_usage_incomplete ? undefined : metadata.token_usage.prompt_tokens)],
  ['output_tokens', ({ metadata }) => (metadata.token_usage_incomplete ? undefined : metadata.token_usage.completion_tokens)],
  ['model_calls', ({ metadata }) => metadata.iterations],
  ['steps', ({ reasoning }) => reasoning.steps.length],
  ['confidence', ({ reasoning }) => reasoning.confidence],
]);

/** A measure of the run, such as its cost. */
export const measure: Subject = {
  key: 'measure',
  actual(entry, { result }) {
    const name = textOf(entry, 'measure');
    const value = measures.get(name)?.(result);
    return value === undefined ? { unknown: `${name} of this run is not known.` } : { value };
  },
  words: (entry) => textOf(entry, 'measure'),
};

/** The teams of an orchestration in the order in which they ran, once per execution. */
export const route: Subject = {
  key: 'route',
  actual(_entry, { result: { output } }) {
    const teams = isObject(output) && Array.isArray(output.teams) ? output.teams : [];
    return { value: teams.flatMap((team) => (isObject(team) && typeof team.team === 'string' ? [team.team] : [])) };
  },
  words: () => 'the route',
};

/** The answer of an agent without structured output. */
export const text: Subject = {
  key: 'text',
  actual: (_entry, { result }) => ({ value: result.status === 'completed' ? result.text : undefined }),
  example: (_entry, expected) => (typeof expected === 'string' ? expected : undefined),
  words: () => 'the text',
};

/** A field of the answer; with `task`, of the last answer of that task. */
export const outputField: Subject = {
  key: 'output_field',
  actual(entry, { result }) {
    if (entry.task === undefined) return { value: fieldAt(result.status === 'completed' ? result.output : undefined, segmentsOf(entry)) };
    const name = textOf(entry, 'task');
    const task = taskOf(result.output, name);
    return ofTask(name, task, fieldAt(task?.status === 'completed' ? task.output : undefined, segmentsOf(entry)));
  },
  example: (entry, expected) => fieldAt(expected, segmentsOf(entry)),
  words: (entry) =>
    entry.task === undefined ? textOf(entry, 'output_field') : `${textOf(entry, 'task')}.${textOf(entry, 'output_field')}`,
};

function segmentsOf(entry: JsonObject): readonly string[] {
  return textOf(entry, 'output_field').split('.');
}

/** The last execution of a task, from the output of an orchestration. */
function taskOf(output: Json, name: string): JsonObject | undefined {
  const teams = isObject(output) && Array.isArray(output.teams) ? output.teams : [];
  for (const team of teams.toReversed()) {
    const task = isObject(team) && isObject(team.tasks) && Object.hasOwn(team.tasks, name) ? team.tasks[name] : undefined;
    if (isObject(task)) return task;
  }
  return undefined;
}

/** A value of a task, with the error of the task if it failed. @param value undefined if there is none */
function ofTask(name: string, task: JsonObject | undefined, value: Json | undefined): Actual {
  if (!isObject(task?.error)) return { value };
  // The output was written by this version, so this is the error of a result.
  const error = task.error as unknown as RunError;
  const because = `Task ${name} failed: ${errorLine(error)}`;
  return couldNotBeAsked({ error }) ? { unknown: because } : { value, because };
}

/** The status of the run or of a task, as in a condition: `success` or `failure`. */
export const status: Subject = {
  key: 'status',
  actual(entry, { result }) {
    if (entry.task === undefined) return { value: result.status === 'completed' ? 'success' : 'failure' };
    const name = textOf(entry, 'task');
    const task = taskOf(result.output, name);
    return ofTask(name, task, task?.status === 'completed' ? 'success' : 'failure');
  },
  words: (entry) => (entry.task === undefined ? 'the status' : `the status of ${textOf(entry, 'task')}`),
};

/** A field of the final context of an orchestration. */
export const contextField: Subject = {
  key: 'context_field',
  actual(entry, { result: { output } }) {
    return { value: fieldAt(isObject(output) ? output.context : undefined, textOf(entry, 'context_field').split('.')) };
  },
  example: (entry, expected) => fieldAt(expected, textOf(entry, 'context_field').split('.')),
  words: (entry) => `context.${textOf(entry, 'context_field')}`,
};

/** Every subject of expectations. */
export const subjects: readonly Subject[] = [judge, tool, toolsInOrder, measure, route, text, status, contextField, outputField];

/** The subject of an expectation. Undefined if it has none, or two: neither may win. */
export function subjectOf(entry: JsonObject): Subject | undefined {
  const matches = subjects.filter(({ key }) => entry[key] !== undefined && !(key === 'output_field' && entry.judge !== undefined));
  return matches.length === 1 ? matches[0] : undefined;
}
