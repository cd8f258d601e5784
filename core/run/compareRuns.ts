import { isObject, type Json, type JsonObject } from '../json.js';
import type { RunFiles } from './readRuns.js';
import { readEnd } from './story/readEnd.js';
import type { StoryEnd } from './story/types.js';
import { objectAt, ownAt } from './untrusted.js';

/** How the values of a row are formatted. */
export type ComparedKind = 'text' | 'status' | 'time' | 'duration' | 'count' | 'money' | 'json';

/** One field of several runs; null for a run without it. */
export interface ComparedRow {
  /** What ran, its usage, its answer and its input. */
  readonly part: 'run' | 'usage' | 'output' | 'input';
  /** A key of the answer or the input, else a `ComparedField`. */
  readonly field: string;
  readonly kind: ComparedKind;
  readonly values: readonly Json[];
  /** By run: the value is a lower bound, since the run was interrupted. Only for cost and tokens. */
  readonly at_least: readonly boolean[];
  /** By run: the change against the first run, in whole percent; null if it cannot be computed. */
  readonly changes: readonly (number | null)[];
  /** Whether the runs differ in it. Always false for the start time. */
  readonly differs: boolean;
}

export interface ComparedRuns {
  readonly run_ids: readonly string[];
  readonly rows: readonly ComparedRow[];
}

/** Fields of a run other than its answer and input. */
export type ComparedField =
  | 'agent'
  | 'case'
  | 'profile'
  | 'model'
  | 'environment'
  | 'started'
  | 'status'
  | 'error'
  | 'duration'
  | 'cost'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'model_calls'
  | 'tools'
  | 'repairs';

/** Several runs side by side, field by field, in the given order. Fields that no run has are left out. */
export function compareRuns(runs: readonly RunFiles[]): ComparedRuns {
  const rows: ComparedRow[] = [];
  const add = (
    part: ComparedRow['part'],
    field: string,
    kind: ComparedKind,
    values: readonly Json[],
    at_least = values.map(() => false),
  ) => {
    if (values.every((value) => value === null)) return;
    const differs = field !== 'started' && new Set(values.map((value) => JSON.stringify(value))).size > 1;
    const changes = values.map((value, at) => (part !== 'usage' || at_least[0] || at_least[at] ? null : changeOf(values[0], value)));
    rows.push({ part, field, kind, values, at_least, changes, differs });
  };
  const each = (part: 'run' | 'usage', field: ComparedField, kind: ComparedKind, of: (run: RunFiles) => Json) =>
    add(part, field, kind, runs.map(of));
  const eachUsed = (field: ComparedField, kind: ComparedKind, of: (run: RunFiles) => Json) => {
    const isUnknown = ({ summary }: RunFiles) => summary.tokens_incomplete && summary.total_tokens === 0;
    const values = runs.map((run) => (isUnknown(run) ? null : of(run)));
    add(
      'usage',
      field,
      kind,
      values,
      values.map((value, at) => value !== null && runs[at]?.summary.tokens_incomplete === true),
    );
  };

  each('run', 'agent', 'text', ({ summary: { name, version } }) => (name === null || version === null ? name : `${name}@${version}`));
  each('run', 'case', 'text', ({ summary }) => summary.case);
  each('run', 'profile', 'text', ({ summary }) => summary.llm_id);
  each('run', 'model', 'text', ({ summary }) => summary.model_name);
  each('run', 'environment', 'text', ({ summary }) => summary.environment);
  each('run', 'started', 'time', ({ summary }) => summary.started);
  each('run', 'status', 'status', ({ summary }) => summary.state);
  each('run', 'error', 'text', ({ summary: { error } }) => error && `${error.code}: ${error.message}`);
  each('usage', 'duration', 'duration', ({ summary }) => summary.duration_ms);
  eachUsed('cost', 'money', ({ summary: { simulated, cost } }) => (simulated ? null : cost));
  eachUsed('prompt_tokens', 'count', (run) => endOf(run).usage.prompt_tokens);
  eachUsed('completion_tokens', 'count', (run) => endOf(run).usage.completion_tokens);
  each('usage', 'model_calls', 'count', ({ summary }) => summary.iterations);
  each('usage', 'tools', 'text', ({ summary: { tools_used } }) => (tools_used.length === 0 ? null : tools_used.join(', ')));
  each('usage', 'repairs', 'count', (run) => endOf(run).repairs.length || null);

  for (const [part, objects] of [
    ['output', runs.map(answerOf)],
    ['input', runs.map(({ run }) => objectAt(run, 'input'))],
  ] as const) {
    const names = new Set(objects.flatMap((object) => Object.keys(object)));
    for (const name of names)
      add(
        part,
        name,
        'json',
        objects.map((object) => ownAt(object, name) ?? null),
      );
  }
  return { run_ids: runs.map(({ summary }) => summary.run_id), rows };
}

function endOf({ result }: RunFiles): StoryEnd {
  return readEnd(result ?? {});
}

/** The fields of an answer; for an orchestration those of its context, for an answer without fields its text. */
function answerOf(run: RunFiles): JsonObject {
  const { output, text } = endOf(run);
  if (isObject(output)) return run.summary.kind === 'orchestration' ? objectAt(output, 'context') : output;
  return text === '' ? {} : { text };
}

function changeOf(first: Json | undefined, value: Json): number | null {
  if (typeof first !== 'number' || typeof value !== 'number' || first <= 0) return null;
  const percent = Math.round((100 * (value - first)) / first);
  return percent === 0 ? null : percent;
}
