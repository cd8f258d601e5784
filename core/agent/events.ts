import type { ErrorCode, Issue } from '../errors.js';
import type { Json, JsonObject } from '../json.js';
import type { TokenUsage } from '../llm/types.js';

/** One block of a message, in the one internal form for every provider. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Json }
  | { readonly type: 'tool_result'; readonly tool_use_id: string; readonly content: Json };

export interface ConversationMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
  readonly id?: string;
  readonly model?: string;
  readonly stop_reason?: string;
  readonly usage?: TokenUsage;
}

export interface ReasoningStep {
  readonly step: number;
  readonly thought: string;
  readonly action?: { readonly tool: string; readonly input: Json; readonly output: Json };
  readonly observation?: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

export interface RunError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly recoverable: boolean;
}

export type RunStatus = 'completed' | 'failed' | 'cancelled';

/** Who caused a run and what it belongs to; reaches every tool call, span and log line. */
export interface RunContext {
  readonly user_id?: string;
  readonly session_id?: string;
  readonly correlation_id: string;
  readonly trace_id: string;
  /** ISO 8601, when the run was asked for. */
  readonly timestamp: string;
  readonly budget?: { readonly max_cost?: number; readonly max_time_ms?: number };
  readonly metadata?: JsonObject;
}

export interface ResultMetadata {
  readonly agent_name: string;
  readonly agent_version: string;
  readonly provider: string | null;
  readonly model_name: string | null;
  readonly execution_time_ms: number;
  readonly iterations: number;
  readonly tools_used: readonly string[];
  readonly token_usage: TokenUsage;
  /** Null when the model's price is not known. */
  readonly estimated_cost_usd: number | null;
  readonly snapshot_hash: string | null;
  readonly snapshot_path: string | null;
  readonly trace_id: string;
  readonly correlation_id: string;
  readonly repairs: readonly Issue[];
  /** True when no model was asked (provider `offline`). */
  readonly simulated: boolean;
  /** Request parameters left out because the model refuses them. */
  readonly left_out: readonly string[];
}

/** What a run ends with, the same from the library, the command line and the editor (`schemas/result.schema.json`). */
export interface RunResult {
  readonly run_id: string;
  readonly success: boolean;
  readonly status: RunStatus;
  /** The validated output, or null. */
  readonly output: JsonObject | null;
  /** First text block of `final_response`, or empty. */
  readonly text: string;
  readonly error: RunError | null;
  readonly conversation: readonly ConversationMessage[];
  readonly final_response: ConversationMessage | null;
  readonly tool_uses_in_final_turn: readonly ContentBlock[];
  readonly source_documents: readonly JsonObject[];
  readonly reasoning: {
    readonly steps: readonly ReasoningStep[];
    readonly decision: string;
    readonly confidence: number;
  };
  readonly metadata: ResultMetadata;
}

interface EventBase {
  readonly run_id: string;
  /** 0, 1, 2 ... without a gap. */
  readonly seq: number;
  /** ISO 8601. */
  readonly time: string;
}

export type EventBody =
  | { readonly type: 'run_start'; readonly snapshot_hash: string | null; readonly snapshot_path: string | null }
  | { readonly type: 'step_start'; readonly step: number }
  | { readonly type: 'chunk'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_call'; readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly args: Json }[] }
  | {
      readonly type: 'tool_result';
      readonly tool_results: readonly { readonly id: string; readonly name: string; readonly result: Json; readonly is_error: boolean }[];
    }
  | { readonly type: 'retry'; readonly attempt: number; readonly wait_ms: number; readonly reason: string }
  | { readonly type: 'repair'; readonly issues: readonly Issue[] }
  | {
      readonly type: 'step_end';
      readonly step: number;
      readonly thought?: string;
      readonly observation?: string;
      readonly usage: TokenUsage | null;
    };

/** One event of a run. Exactly one has `final: true`, and it is the last. */
export type AgentEvent =
  | (EventBase & { readonly final: false } & EventBody)
  | (EventBase & { readonly final: true; readonly type: 'final'; readonly result: RunResult });
