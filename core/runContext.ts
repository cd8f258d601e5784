import type { JsonObject } from './json.js';

/** Who caused a run and what it belongs to; reaches every tool call, span and log line. */
export interface RunContext {
  readonly user_id?: string;
  readonly session_id?: string;
  /** Name of the saved input that it runs with: `payloads/{agent}/{case}.json`. The run list shows it; nothing else depends on it. */
  readonly case?: string;
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
  readonly budget?: {
    /** USD. */
    readonly max_cost?: number;
    readonly max_time_ms?: number;
    /** Lets models run whose price is unknown, for which `max_cost`, also that of an agent, cannot be enforced. Default: such a run is refused. */
    readonly allow_unpriced?: boolean;
  };
  readonly metadata?: JsonObject;
}
