import type { AgentEvent, RunResult } from '../agent/events.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import type { Clock, KnownSecrets, Logger } from '../ports.js';
import type { TraceContext } from '../runContext.js';
import type { ApproveTool } from '../tools/types.js';
import type { Exposed } from './exposed.js';

/** The exposed agents and orchestrations at one moment. */
export interface CatalogState {
  readonly index: LoadedIndex;
  /** Sorted by tool name. */
  readonly exposed: readonly Exposed[];
}

export interface Catalog {
  /** By the current files. */
  current(): Promise<CatalogState>;
  /** Reports each change of the files until the returned function is called. Does not keep the process alive. */
  watch(onChange: () => void): () => void;
}

export interface ExposedCall {
  readonly exposed: Exposed;
  /** The unchecked input: an invalid one leads to a failed run that names the field. */
  readonly payload: unknown;
  readonly signal: AbortSignal;
  readonly trace?: TraceContext | undefined;
  readonly session_id?: string | undefined;
  readonly onEvent?: (event: AgentEvent) => void;
  /** Default: as the server was started, which asks nobody. */
  readonly approve?: ApproveTool;
}

/** Runs an exposed agent or orchestration to its result, which may be a failure or a cancellation. */
export type RunExposed = (call: ExposedCall) => Promise<RunResult>;

/** The common base of all served protocols. */
export interface Served {
  /** Display name of the project: the name of its folder. */
  readonly name: string;
  /** Version of Agent Stack. */
  readonly version: string;
  readonly catalog: Catalog;
  readonly run: RunExposed;
  /** Resolves when no run is in progress. */
  settled(): Promise<void>;
  /** Whether the prompts of the project are served too. */
  readonly prompts: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly knownSecrets: KnownSecrets | undefined;
  /** Aborts when the server shuts down, and ends every run. */
  readonly signal: AbortSignal;
}

/** The same runner, with a function that waits for all current runs: a server ends only after each has written its end. */
export function trackRuns(run: RunExposed): { readonly run: RunExposed; settled(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  return {
    run(call) {
      const result = run(call);
      running.add(result);
      const done = () => running.delete(result);
      result.then(done, done);
      return result;
    },
    async settled() {
      await Promise.allSettled(running);
    },
  };
}
