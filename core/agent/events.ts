import type { AgentEvent } from '../generated/types.js';
import type { JsonObject } from '../json.js';

export type {
  AgentEvent,
  AgentResult as RunResult,
  ContentBlock,
  ConversationMessage,
  FinalEvent,
  ResultMetadata,
  RunError,
} from '../generated/types.js';

/** Who caused a run and what it belongs to; reaches every tool call, span and log line. */
export interface RunContext {
  readonly user_id?: string;
  readonly session_id?: string;
  /** Default: the run's own id. */
  readonly correlation_id: string;
  /** Default: the run's own id. */
  readonly trace_id: string;
  /** ISO 8601, when the run was asked for. */
  readonly timestamp: string;
  readonly budget?: { readonly max_cost?: number; readonly max_time_ms?: number };
  readonly metadata?: JsonObject;
}

/** What an agent type yields: an event without its number, time and run, which the run adds. The final event is the run's own. */
export type EventBody = Body<Exclude<AgentEvent, { final: true }>>;

type Body<Event> = Event extends unknown ? Omit<Event, 'run_id' | 'seq' | 'time' | 'final'> : never;
