import type { JsonObject } from './json.js';

/** Who caused a run and what it belongs to; reaches every tool call, span and log line. */
export interface RunContext {
  readonly user_id?: string;
  readonly session_id?: string;
  /** Default: the run's own id. */
  readonly correlation_id: string;
  /** Default: the run's own id. 32 lower-case hexadecimal digits where it came from a caller's trace. */
  readonly trace_id: string;
  /** The caller's span in that trace, which the run's own goes under: 16 lower-case hexadecimal digits. */
  readonly parent_span_id?: string;
  /** Whether the caller's trace is recorded. With `parent_span_id` it decides for the run too; without it the agent's `tracing.sample_rate` does. */
  readonly trace_sampled?: boolean;
  /** ISO 8601, when the run was asked for. */
  readonly timestamp: string;
  readonly budget?: { readonly max_cost?: number; readonly max_time_ms?: number };
  readonly metadata?: JsonObject;
}
