import type { Json, JsonObject } from '../json.js';
import { numberAt, objectAt, ownAt, textAt } from './untrusted.js';

/** How a run stands, from its files alone. */
export type RunState =
  | 'completed'
  /** Of an orchestration: its routing came to an end, and a task that it requires did not complete. */
  | 'partial'
  | 'failed'
  | 'cancelled'
  /** It has no result: it is running somewhere, or what ran it was ended. */
  | 'open'
  /** A file of it is torn, missing or no JSON. */
  | 'broken';

/** One run in a list. What its files do not say is null. */
export interface RunSummary {
  readonly run_id: string;
  readonly state: RunState;
  /** Of a broken run: what is wrong with it, in a sentence. */
  readonly problem: string | null;
  /** Milliseconds since 1970. */
  readonly started: number | null;
  /** `agent` or `orchestration`. */
  readonly kind: string | null;
  /** Its steps were kept and it has not come to its end. Whether it still runs somewhere its lock knows. */
  readonly can_resume: boolean;
  /** It was handed to workers and has not come to its end, as far as its files know: they can be asked for it. */
  readonly on_workers: boolean;
  readonly name: string | null;
  /** Null for an orchestration. */
  readonly version: string | null;
  readonly environment: string | null;
  /** The llm profile of the agent. */
  readonly llm_id: string | null;
  /** Name of the saved input that it ran with. */
  readonly case: string | null;
  readonly provider: string | null;
  readonly model_name: string | null;
  readonly duration_ms: number | null;
  readonly total_tokens: number | null;
  /** `total_tokens` and `cost` are lower bounds, since a call did not finish. */
  readonly tokens_incomplete: boolean;
  /** USD. */
  readonly cost: number | null;
  readonly simulated: boolean;
  /** Model calls that were answered. */
  readonly iterations: number | null;
  /** Each once, in the order of first use. */
  readonly tools_used: readonly string[];
  /** Of a run that did not complete; `details` say the reason of a failed model call. */
  readonly error: { readonly code: string; readonly message: string; readonly details: JsonObject } | null;
}

/** What reading a file of a run gave: its object, or why there is none. */
export type RunFile = { readonly value: JsonObject } | { readonly missing: true } | { readonly problem: string };

/** The summary of a run from `run.json` and `result.json`, which may say anything: nothing of them is taken for granted. */
export function summarizeRun(run_id: string, run: RunFile, result: RunFile): RunSummary {
  const begun = 'value' in run ? run.value : {};
  const ended = 'value' in result ? result.value : {};
  const metadata = objectAt(ended, 'metadata');
  const usage = objectAt(metadata, 'token_usage');
  const error = objectAt(ended, 'error');
  const code = textAt(error, 'code');
  const context = objectAt(begun, 'context');
  const problem = problemOf(run, result);
  const state = problem === null ? stateOf(result, ended) : 'broken';
  const timestamp = Date.parse(textAt(context, 'timestamp') ?? '');
  const isUnended = state === 'open' || state === 'cancelled';
  return {
    run_id,
    problem,
    state,
    kind: textAt(begun, 'kind'),
    can_resume: isUnended && Array.isArray(ownAt(begun, 'journals')),
    on_workers: isUnended && textAt(begun, 'engine') === 'dbos',
    started: Number.isNaN(timestamp) ? timeOfId(run_id) : timestamp,
    name: textAt(metadata, 'agent_name') ?? textAt(begun, 'name'),
    version: textAt(metadata, 'agent_version') ?? textAt(begun, 'version'),
    environment: textAt(begun, 'environment'),
    llm_id: textAt(begun, 'llm_id'),
    case: textAt(context, 'case'),
    provider: textAt(metadata, 'provider'),
    model_name: textAt(metadata, 'model_name'),
    duration_ms: numberAt(metadata, 'execution_time_ms'),
    total_tokens: numberAt(usage, 'total_tokens'),
    tokens_incomplete: ownAt(metadata, 'token_usage_incomplete') === true,
    cost: numberAt(metadata, 'estimated_cost_usd'),
    simulated: ownAt(metadata, 'simulated') === true,
    iterations: numberAt(metadata, 'iterations'),
    tools_used: textsIn(ownAt(metadata, 'tools_used')),
    error: code === null ? null : { code, message: textAt(error, 'message') ?? '', details: objectAt(error, 'details') },
  };
}

/** Whether a run in this state has told its end. */
export function isEnded(state: string | null): state is Exclude<RunState, 'open' | 'broken'> {
  return state === 'completed' || state === 'partial' || state === 'failed' || state === 'cancelled';
}

function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** When a run began, from its id (its first 48 bits are milliseconds); null for ids of another make. */
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
