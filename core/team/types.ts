import type { AgentEvent, RunContext, RunResult } from '../agent/events.js';
import type { EditLog, Gate } from '../agent/gate.js';
import type { Agent, ResumedRun } from '../agent/types.js';
import type { DurableSteps } from '../durable.js';
import type { Issue } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { MaybePromise, Ports } from '../ports.js';
import type { TraceContext } from '../runContext.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { FrozenOrchestration } from '../snapshot/snapshotValue.js';

/** An orchestration, ready to run: only its frozen snapshot, and the agents made from it. */
export interface Orchestration {
  readonly snapshot: Snapshot;
  /** `snapshot.value.orchestration`. */
  readonly frozen: FrozenOrchestration;
  /** By instance. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** The issues of an input, merged over the context; empty if a run may begin with it. @throws ConfigInvalidError if `input_schema` is invalid */
  readonly checkInput: (input: unknown) => readonly Issue[];
}

/** One task to run, as plain JSON but for its signal: an engine may pass it to another process that has the same snapshot. */
export interface TaskCall {
  readonly team: string;
  readonly task: string;
  /** Which team execution of the run this is, from 1: with team and task it identifies the work uniquely. */
  readonly execution: number;
  /** Of the task's agent. */
  readonly instance: string;
  readonly payload: JsonObject;
  /** The run's own, with `budget` being the rest of it: zero or less for one that is used up. */
  readonly context: RunContext;
  /** The parent span of the task's agent, where the run is watched. */
  readonly parent?: TraceContext;
  readonly signal: AbortSignal;
}

/**
 * Runs a task: runs its agent in `steps.scope("{execution}/{team}/{task}")` and passes its events to `emit` as they come, except its own
 * `final`. Never rejects for a failure of the agent, which is a result. Rejects with StorageError, UnfinishedStepError or a bug, which end the run.
 */
export type RunTask = (call: TaskCall, emit: (event: AgentEvent) => void) => Promise<RunResult>;

/** Where an orchestration's run is stored. Called in order, one call at a time. */
export interface OrchestrationStore {
  /** Writes the snapshot before anything runs. @throws StorageError */
  begin(run: {
    readonly run_id: string;
    readonly snapshot: Snapshot;
    readonly context: RunContext;
    readonly input: JsonObject;
    /** Milliseconds the run has been active, earlier processes included. */
    readonly elapsed?: () => number;
  }): MaybePromise<{ readonly snapshot_path: string }>;
  /** Writes one more snapshot, of a team that runs again with a changed context. @throws StorageError */
  snapshot(snapshot: Snapshot): MaybePromise<{ readonly snapshot_path: string }>;
  /** @throws StorageError */
  event(event: AgentEvent): MaybePromise<void>;
  /** Called at the end in this process; a store that allows resuming elsewhere does not treat it as the end (`hasStopped`). @throws StorageError */
  end(result: RunResult): MaybePromise<void>;
}

export interface OrchestrationRequest {
  readonly orchestration: Orchestration;
  /** Laid over the orchestration's own `context` as a merge patch. Default: nothing. */
  readonly input?: JsonObject;
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'sha256' | 'knownSecrets'>;
  /** Stores what tasks do, where anything is stored. Decisions between tasks follow from their results. */
  readonly runTask: RunTask;
  readonly context?: Partial<RunContext>;
  readonly store?: OrchestrationStore;
  readonly signal?: AbortSignal;
  /** Where a person may look at its routes and change the context. Its agents get theirs from `runTask`. Default: it never stops. */
  readonly gate?: Gate;
  /** As in `RunRequest`, for the context that is changed at routes. */
  readonly steps?: DurableSteps;
  readonly edits?: EditLog;
  readonly isReplay?: boolean;
  /** Milliseconds that the run was stopped, which do not count as its time. Default: none. */
  readonly waited?: () => number;
  /** Set where the run gets its id before it starts. Default: a new id. */
  readonly run_id?: string;
  /** For a resumed run: its id, the number of its next event, and how many finished steps it reuses. */
  readonly resume?: ResumedRun;
}
