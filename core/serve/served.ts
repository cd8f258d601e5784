import type { AgentEvent, RunResult } from '../agent/events.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import type { Clock, KnownSecrets, Logger } from '../ports.js';
import type { TraceContext } from '../runContext.js';
import type { Exposed } from './exposed.js';

/** What is exposed, as the files say it at one moment. */
export interface CatalogState {
  readonly index: LoadedIndex;
  /** Sorted by tool name. */
  readonly exposed: readonly Exposed[];
}

export interface Catalog {
  /** As the files are now. */
  current(): Promise<CatalogState>;
  /** Tells of each change of the files until it is told to stop. Does not keep the process alive. */
  watch(onChange: () => void): () => void;
}

export interface ExposedCall {
  readonly exposed: Exposed;
  /** The input, as it came: what is wrong with it is a failed run that names the field. */
  readonly payload: unknown;
  readonly signal: AbortSignal;
  readonly trace?: TraceContext | undefined;
  readonly session_id?: string | undefined;
  readonly onEvent?: (event: AgentEvent) => void;
}

/** Runs what is exposed, to its result: a failure and a cancellation are results too. */
export type RunExposed = (call: ExposedCall) => Promise<RunResult>;

/** What every protocol is served from. */
export interface Served {
  /** Of the project, for people: the name of its folder. */
  readonly name: string;
  /** Of Agent Stack. */
  readonly version: string;
  readonly catalog: Catalog;
  readonly run: RunExposed;
  /** Done when no run is under way. */
  settled(): Promise<void>;
  /** Whether the prompts of the project are offered too. */
  readonly prompts: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly knownSecrets: KnownSecrets | undefined;
  /** Aborts when the server is to end, and every run with it. */
  readonly signal: AbortSignal;
}

/** The same, and what waits for all runs that are under way: a server ends only when each has written its end. */
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
