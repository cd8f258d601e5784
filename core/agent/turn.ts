import type { Json } from '../json.js';
import type { TaskOutcome } from '../routing/evaluateCondition.js';
import type { AgentEvent, EventBody } from './events.js';
import type { RunRecord } from './runRecord.js';
import type { RunRequest } from './types.js';

/** The common state of agent types: the request, its record so far, and the signal that ends it. */
export interface Turn {
  readonly request: RunRequest;
  readonly record: RunRecord;
  readonly signal: AbortSignal;
  /** When the run's time ends (`Clock.monotonic()`, in ms), as currently known; undefined without a limit. */
  readonly deadline: () => number | undefined;
  /** Waits for a person; the time does not count as the run's. */
  readonly waitForPerson: <T>(answer: Promise<T>) => Promise<T>;
  /** Of an agent that runs a plan: the current step, and how those before it ended. */
  readonly plan?: { readonly step: string | undefined; readonly outcomes: ReadonlyMap<string, TaskOutcome> };
  /** Runs another agent: `runAgent`. */
  readonly run: (request: RunRequest) => AsyncGenerator<AgentEvent, void, undefined>;
}

/**
 * One agent type: yields events and returns the output, an object if the agent has an output_schema. A thrown AgentStackError ends the run as failed,
 * with everything in the record.
 */
export type AgentLoop = (turn: Turn) => AsyncGenerator<EventBody, Json, undefined>;
