import type { RunResult } from '../agent/events.js';
import { isObject, type JsonObject } from '../json.js';
import { readEnd } from './story/readEnd.js';
import type { StoryEnd } from './story/types.js';
import { objectAt, ownAt, textAt } from './untrusted.js';

/** The state of a run, from its files alone. */
export type RunState =
  | 'completed'
  /** Of an orchestration: routing reached its end, but a required task did not complete. */
  | 'partial'
  | 'failed'
  | 'cancelled'
  /** It has no result: it is running somewhere, or its process was ended. */
  | 'open'
  /** A file of it is torn, missing or not JSON. */
  | 'broken';

type Ended = Pick<
  StoryEnd,
  | 'name'
  | 'version'
  | 'provider'
  | 'model_name'
  | 'duration_ms'
  | 'total_tokens'
  | 'tokens_incomplete'
  | 'cost'
  | 'replayed'
  | 'recorded_cost'
  | 'simulated'
  | 'edits'
  | 'iterations'
  | 'error'
>;

/** One run in a list. Values that its files do not have are null. */
export interface RunSummary extends Ended {
  readonly completion_tokens: number | null;
  readonly run_id: string;
  readonly state: RunState;
  /** Of a broken run: the fault, in a sentence. */
  readonly problem: string | null;
  /** Milliseconds since 1970. */
  readonly started: number | null;
  /** `agent` or `orchestration`. */
  readonly kind: string | null;
  /** It has a journal but no end. Only its lock shows whether it still runs somewhere. */
  readonly can_resume: boolean;
  /** It was submitted to workers and has not ended according to its files: the workers' database knows its state. */
  readonly on_workers: boolean;
  readonly environment: string | null;
  /** The LLM profile of the agent. */
  readonly llm_id: string | null;
  /** Name of the case that it ran with. */
  readonly case: string | null;
  /** Id of the run, or path of the record, that it is a fork of. */
  readonly forked_from: string | null;
  /** Each once, in the order of first use. */
  readonly tools_used: readonly string[];
}

/** The object in a file of a run, or why there is none. */
export type RunFile = { readonly value: JsonObject } | { readonly missing: true } | { readonly problem: string };

/** The summary of a run from `run.json` and `result.json`, whose content is not trusted. */
export function summarizeRun(run_id: string, run: RunFile, result: RunFile): RunSummary {
  const begun = 'value' in run ? run.value : {};
  const ended = 'value' in result ? result.value : {};
  const end = readEnd(ended);
  const context = objectAt(begun, 'context');
  const problem = problemOf(run, result);
  const state = problem === null ? stateOf(result, ended) : 'broken';
  const timestamp = Date.parse(textAt(context, 'timestamp') ?? '');
  const isUnended = state === 'open' || state === 'cancelled';
  const fork = ownAt(context, 'forked_from');
  const forked_from = isObject(fork) ? (textAt(fork, 'run_id') ?? textAt(fork, 'record') ?? '') : null;
  return {
    run_id,
    problem,
    state,
    kind: textAt(begun, 'kind'),
    can_resume: isUnended && forked_from === null && Array.isArray(ownAt(begun, 'journals')),
    on_workers: isUnended && textAt(begun, 'engine') === 'dbos',
    started: Number.isNaN(timestamp) ? timeOfId(run_id) : timestamp,
    name: end.name ?? textAt(begun, 'name'),
    version: end.version ?? textAt(begun, 'version'),
    environment: textAt(begun, 'environment'),
    llm_id: textAt(begun, 'llm_id'),
    case: textAt(context, 'case'),
    forked_from,
    provider: end.provider,
    model_name: end.model_name,
    duration_ms: end.duration_ms,
    total_tokens: end.total_tokens,
    completion_tokens: end.usage.completion_tokens,
    tokens_incomplete: end.tokens_incomplete,
    cost: end.cost,
    replayed: end.replayed,
    recorded_cost: end.recorded_cost,
    simulated: end.simulated,
    edits: end.edits,
    iterations: end.iterations,
    tools_used: end.tools_used ?? [],
    error: end.error,
  };
}

/** Whether a run in this state has ended. */
export function isEnded(state: string | null): state is Exclude<RunState, 'open' | 'broken'> {
  return state === 'completed' || state === 'partial' || state === 'failed' || state === 'cancelled';
}

/** Whether a run stopped before its end and can be resumed: it could not be stored, or a person has to decide about a call. */
export function hasStopped(result: Pick<RunResult, 'status' | 'error'>): boolean {
  return result.status !== 'partial' && (result.error?.code === 'storage' || isUnanswered(result));
}

/** Whether a run stopped at a call that may or may not have happened. */
export function isUnanswered({ error }: Pick<RunResult, 'error'>): boolean {
  return error?.code === 'denied' && error.details?.unfinished !== undefined;
}

/** When a run began, from its id (its first 48 bits are milliseconds); null for ids of another form. */
export function timeOfId(runId: string): number | null {
  if (!/^[0-9a-f]{12}7[0-9a-f]{19}$/.test(runId)) return null;
  return Number.parseInt(runId.slice(0, 12), 16);
}

function problemOf(run: RunFile, result: RunFile): string | null {
  if ('problem' in run) return `run.json: ${run.problem}`;
  if ('problem' in result) return `result.json: ${result.problem}`;
  if ('missing' in run) return 'run.json is missing.';
  if ('value' in result && stateOf(result, result.value) === 'broken') return 'result.json does not say how the run ended.';
  return null;
}

function stateOf(result: RunFile, value: JsonObject): RunState {
  if ('missing' in result) return 'open';
  const status = textAt(value, 'status');
  return isEnded(status) ? status : 'broken';
}
