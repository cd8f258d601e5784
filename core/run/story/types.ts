import type { Json, JsonObject } from '../../json.js';

// Plain JSON, so that a story can be kept, sent and compared. Steps, calls, teams and tasks are addressed by their index.

/** What happened in a run according to its events. */
export interface Story {
  readonly run_id: string | null;
  readonly snapshot_hash: string | null;
  readonly is_kept: boolean;
  /** In the order in which they began. */
  readonly steps: readonly StoryStep[];
  /** Executions of teams, in the order in which they began. */
  readonly teams: readonly StoryTeam[];
  /** Where the events of this process begin: a resumed run emits everything again. */
  readonly since: { readonly step: number; readonly team: number };
  /** Counted over the events of this process. */
  readonly counts: StoryCounts;
  /** Tools that were called, each once, in the order of first use. */
  readonly tools: readonly string[];
  /** Null until the run has ended. */
  readonly end: StoryEnd | null;
}

export interface StoryCounts {
  /** Model calls that failed and were made again. */
  readonly retries: number;
  readonly repairs: number;
  readonly calls: number;
  readonly failed_calls: number;
  /** Calls that gave another result than the same call before. */
  readonly contradictions: number;
  /** Answers that were not accepted and went back to the model for correction. */
  readonly rejected: number;
}

/** Where something happened; empty texts in the run of one agent. */
export interface StoryPlace {
  readonly team: string;
  readonly task: string;
}

/** One turn of a model, or one step of a plan. */
export interface StoryStep extends StoryPlace {
  readonly index: number;
  /** The agent's step number, from 1. */
  readonly number: number;
  readonly plan_step: string | null;
  readonly parts: readonly StoryPart[];
  readonly thought: string;
  /** The feedback to the model on its calls or its answer. */
  readonly observation: string;
  /** The observation is about an answer of the model that was not accepted. */
  readonly is_correction: boolean;
  readonly usage: StoryUsage;
  readonly is_ended: boolean;
}

/** Something within a step, in the order in which it happened. */
export type StoryPart =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | StoryCall
  | { readonly type: 'retry'; readonly attempt: number; readonly wait_ms: number; readonly reason: string }
  | { readonly type: 'repair'; readonly issues: readonly StoryIssue[] }
  | { readonly type: 'output_limit'; readonly max_output_tokens: number }
  /** A person changed a value at a stop. `path`: JSON pointer. */
  | { readonly type: 'edit'; readonly path: string; readonly before: Json; readonly after: Json };

/** Something between calls. */
export type StoryNote = Extract<StoryPart, { type: 'retry' | 'repair' | 'output_limit' | 'edit' }>;

export interface StoryCall {
  readonly type: 'call';
  readonly id: string;
  readonly name: string;
  /** Undefined if the call's event is missing. */
  readonly input: Json | undefined;
  readonly state: 'waiting' | 'done' | 'failed';
  /** Undefined while it waits. */
  readonly output: Json | undefined;
  readonly contradicts: boolean;
}

/** A fault of an answer, or a repair. */
export interface StoryIssue {
  /** JSON pointer into the answer. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

export type StoryState = 'running' | 'completed' | 'failed' | 'cancelled';

/** One execution of a team. */
export interface StoryTeam {
  readonly index: number;
  readonly team: string;
  /** The run's number of the execution, from 1; 0 if unknown. */
  readonly execution: number;
  readonly has_new_context: boolean;
  readonly tasks: readonly StoryTask[];
  readonly route: StoryRoute | null;
  readonly state: StoryState;
}

export interface StoryTask extends StoryPlace {
  readonly state: StoryState;
  /** The event's word: in `state`, an unknown word counts as failed. */
  readonly status: string | null;
  /** Indices of its steps. */
  readonly steps: readonly number[];
  readonly end: StoryEnd | null;
}

/** The outcome of routing. */
export interface StoryRoute {
  /** Index of the rule; null for the default. */
  readonly rule: number | null;
  /** Null at the end of the run. */
  readonly next_team: string | null;
  readonly context_updates: JsonObject | null;
  readonly notes: readonly string[];
}

/** Tokens; null if the number is unknown. */
export interface StoryUsage {
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly total_tokens: number | null;
  readonly cached_tokens: number;
  readonly cache_write_tokens: number;
}

/** The end of a run or of a task. Values that its result does not have are null. */
export interface StoryEnd {
  readonly run_id: string | null;
  readonly status: string | null;
  readonly error: StoryError | null;
  /** Undefined if the result has none. */
  readonly output: Json | undefined;
  readonly text: string;
  readonly name: string | null;
  /** Null for an orchestration. */
  readonly version: string | null;
  readonly provider: string | null;
  readonly model_name: string | null;
  readonly snapshot_hash: string | null;
  readonly snapshot_path: string | null;
  readonly duration_ms: number | null;
  /** Model calls that were answered. */
  readonly iterations: number | null;
  /** Each once, in the order of first use. */
  readonly tools_used: readonly string[] | null;
  readonly usage: StoryUsage;
  readonly total_tokens: number | null;
  /** The tokens were estimated, since the provider does not report them. */
  readonly tokens_estimated: boolean;
  /** Tokens and cost are lower bounds, since a call did not finish. */
  readonly tokens_incomplete: boolean;
  /** Cached tokens that were predicted; 0 for none. */
  readonly predicted_cached_tokens: number;
  /** USD. */
  readonly cost: number | null;
  /** A record answered instead of the model: it cost nothing. */
  readonly replayed: boolean;
  /** USD that the calls of a replay cost when they were recorded; null for other runs, and if unknown. */
  readonly recorded_cost: number | null;
  readonly simulated: boolean;
  /** Values that a person changed at stops. */
  readonly edits: number;
  /** What was not sent because it did not fit the model's context window; null for nothing. */
  readonly dropped: { readonly results: number; readonly messages: number } | null;
  /** Parameters that were not sent because the model refuses them. */
  readonly left_out: readonly string[];
  readonly unpriced_models: readonly string[];
  readonly repairs: readonly StoryIssue[];
  readonly decision: string;
  /** 0 to 1. */
  readonly smoothness: number | null;
  readonly source_quality: string | null;
}

export interface StoryError {
  readonly code: string;
  readonly message: string;
  readonly details: JsonObject;
}

/** What one event has changed in a story. */
export type StoryChange =
  | { readonly type: 'start'; readonly resumed: number | null }
  | { readonly type: 'step' | 'step_end'; readonly step: StoryStep }
  | { readonly type: 'text' | 'thinking'; readonly step: StoryStep; readonly text: string }
  | { readonly type: 'calls' | 'answers'; readonly step: StoryStep; readonly calls: readonly StoryCall[] }
  | { readonly type: 'part'; readonly step: StoryStep; readonly part: StoryNote }
  | { readonly type: 'team' | 'route' | 'team_end'; readonly team: StoryTeam }
  | { readonly type: 'task' | 'task_end'; readonly team: StoryTeam; readonly task: StoryTask }
  | { readonly type: 'end'; readonly end: StoryEnd }
  /** An event of an unknown type. */
  | { readonly type: 'other'; readonly place: StoryPlace; readonly event: JsonObject };
