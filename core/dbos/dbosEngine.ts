import { resolve } from 'node:path';
import type { AgentEvent } from '../agent/events.js';
import type { AskUnfinished } from '../durable.js';
import { loadLeftOut } from '../loadLeftOut.js';
import { createNodePorts } from '../node/nodePorts.js';
import type { OpenProjectOptions } from '../node/openProject.js';
import { createModuleLoader } from '../node/ownTools/importTools.js';
import { createOwnTools } from '../project/ownTools.js';
import type { OrchestrationRunOptions, OrchestrationSource } from '../project/types.js';
import { rememberPassword } from '../secrets/rememberPassword.js';
import { createTelemetry } from '../telemetry/createTelemetry.js';
import type { AllowedTools } from '../tools/allowedTools.js';
import { createEnvironmentInputs } from '../tools/mcp/resolveServer.js';
import { createToolRegistry } from '../tools/registry.js';
import type { ApproveTool } from '../tools/types.js';
import type { DbosRuntime } from './dbosRuntime.js';
import { SharedClient } from './sharedClient.js';

export interface DbosEngineOptions extends OpenProjectOptions {
  /** PostgreSQL, `postgres://user:password@host:port/name`. */
  readonly database_url: string;
  /**
   * Called with notices for the person who waits for a run: no worker exists or has its keys, the database cannot be reached. Undefined: the cause
   * is gone. A worker reports once per config that it leaves its runs to other workers because it lacks a key.
   */
  readonly onNotice?: (notice: string | undefined) => void;
}

export type DbosOrchestrateRequest = OrchestrationSource &
  Omit<OrchestrationRunOptions, 'approve' | 'record' | 'replay' | 'keep'> & {
    /** `folder` (default): its follower stores the run in `.agentstack/runs/{run_id}`. `none`: it is in the database only. */
    readonly keep?: 'folder' | 'none';
    /** Tools of MCP servers that may be called without approval, since a worker has no person to ask. Default: none. */
    readonly allow_tools?: AllowedTools;
  };

export interface DbosResumeOptions {
  /** Asks the workers to cancel the run. */
  readonly signal?: AbortSignal;
  /** Called for each call that a dead worker started and that must not be repeated without asking. Default: the run stays stopped. */
  readonly askUnfinished?: AskUnfinished;
}

/** Settings of the queue, the same for all workers: the last worker that sets them decides. */
export interface WorkerLimits {
  /** Most runs at a time, in each worker. Default: unchanged, 10 at first. */
  readonly concurrency?: number;
  /**
   * At most `runs` runs start within any `seconds` seconds, over all workers; `none` removes the limit. Default: unchanged; a new queue has no
   * limit.
   */
  readonly rate?: { readonly runs: number; readonly seconds: number } | 'none';
}

export interface DbosWorkerOptions extends WorkerLimits {
  /** Decides about MCP tools, given those that the submitter allows. Default: those are called, any other ends its task with `denied`. */
  readonly approve?: (allowed: AllowedTools) => ApproveTool;
}

export interface Worker {
  /** Id of this start of the worker, its epoch. */
  readonly id: string;
  /** How many runs and tasks are active here. */
  readonly size: () => number;
  /**
   * Resolves when the worker has ended: `stopped` by `stop`, or `taken-over` if others have taken over its runs after missing its heartbeats (the
   * machine slept, or the database could not be reached). A new worker can be started then.
   */
  readonly ended: Promise<'stopped' | 'taken-over'>;
  /** Starts nothing more, waits up to `patience_ms` for active work, and leaves unfinished work to others. */
  stop(patience_ms?: number): Promise<void>;
}

/** Orchestrations beyond one machine: workers in many processes, with their work stored in PostgreSQL by DBOS Transact. */
export interface DbosEngine {
  /**
   * Submits an orchestration of the project to the workers and follows it, as `Project.orchestrate` does in this process: the same events and
   * result, stored in the run's folder. Leaving the loop stops following, not the run; the signal cancels the run.
   *
   * @throws AgentStackError if the run cannot start; StorageError if the database cannot be used
   */
  orchestrate(request: DbosOrchestrateRequest): AsyncGenerator<AgentEvent, void, undefined>;
  /**
   * Follows a submitted run from the first event that its folder lacks, and resumes it if it stopped or was cancelled.
   *
   * @throws ResumeError, StorageError
   */
  resume(run_id: string, options?: DbosResumeOptions): AsyncGenerator<AgentEvent, void, undefined>;
  /**
   * Starts the worker of this process, which can have only one. It reads no config, only the snapshots of runs.
   *
   * @throws StorageError; InputInvalidError for a limit that is not a whole number above 0
   */
  startWorker(options?: DbosWorkerOptions): Promise<Worker>;
  /** Sends pending data of run observers, within a time limit. */
  flush(): Promise<void>;
}

/** Loads the library with the first call. @param directory of the project */
export function openDbosEngine(directory: string, options: DbosEngineOptions): DbosEngine {
  const root = resolve(directory);
  const ports = createNodePorts(root, options.ports);
  const { database_url, onNotice } = options;
  rememberPassword(database_url, ports.knownSecrets);
  const runtime: DbosRuntime = {
    root,
    ports,
    environment_name: options.environment_name,
    providers: options.providers ?? [],
    ownTools: createOwnTools({
      tools: createToolRegistry(options.tools ?? []).tools,
      providers: (options.providers ?? []).map(({ name }) => name),
      load: createModuleLoader(root, options.loadTools),
    }),
    resolveInput: options.resolveInput ?? createEnvironmentInputs(ports),
    trusted: options.trustedTools,
    observer: options.observer ?? createTelemetry(ports.environment, ports),
    database_url,
    client: new SharedClient(async (open) => {
      const { openEngineClient } = await load(() => import('./engineClient.js'));
      return openEngineClient({ ...open, database_url, ports, ...(onNotice && { onNotice }) });
    }),
    onNotice,
  };
  return Object.freeze<DbosEngine>({
    async *orchestrate(request) {
      const { orchestrateRemotely } = await load(() => import('./submittedRun.js'));
      yield* orchestrateRemotely(runtime, request);
    },
    async *resume(run_id, given = {}) {
      const { resumeRemotely } = await load(() => import('./submittedRun.js'));
      yield* resumeRemotely(runtime, run_id, given);
    },
    async startWorker(given = {}) {
      const { startOrchestrationWorker } = await load(() => import('./orchestrationWorker.js'));
      return startOrchestrationWorker(runtime, given);
    },
    flush: async () => runtime.observer?.flush?.(),
  });
}

/** @throws StorageError if the library was left out, as in the editor's package */
function load<Module>(get: () => Promise<Module>): Promise<Module> {
  return loadLeftOut('the distributed engine', get);
}
