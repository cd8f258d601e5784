import type { AgentEvent, RunContext, RunResult } from '../agent/events.js';
import type { RunObserver } from '../agent/observeRun.js';
import { refusedResult, toRunError } from '../agent/runResult.js';
import type { Agent, ConnectAgent } from '../agent/types.js';
import { CancelledError, SecretMissingError, StorageError } from '../errors.js';
import type { McpInput } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { Ports } from '../ports.js';
import { snapshotPath } from '../run/readSnapshot.js';
import { requireKeys } from '../run/requireKeys.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { verifySnapshot } from '../snapshot/verifySnapshot.js';
import { createRunTask } from '../team/createRunTask.js';
import { observeOrchestration } from '../team/observeOrchestration.js';
import { orchestrationOfSnapshot } from '../team/orchestrationOfSnapshot.js';
import type { Orchestration, TaskCall } from '../team/types.js';
import type { AllowedTools } from '../tools/allowedTools.js';
import type { EngineProgram, RunWork } from './engine.js';
import type { EngineDatabase, StoredRun } from './engineDatabase.js';
import { taskFlowId } from './names.js';

/** The request of a submitter, in addition to the snapshot. Plain JSON, without secrets. */
export interface RunOrder {
  readonly input: JsonObject;
  readonly context: RunContext;
  /** The MCP tools that may be called; a worker has no person to ask. */
  readonly allow_tools: AllowedTools;
  readonly delivery: 'stream' | 'call';
  /** The `inputs` of mcp.json: workers read no config. */
  readonly mcp_inputs: readonly McpInput[];
}

export interface OrchestrationProgramOptions {
  readonly database: Pick<EngineDatabase, 'snapshot'>;
  readonly ports: Ports;
  /** The embedder's providers, which find their keys themselves. */
  readonly providers: readonly LlmProvider[];
  /** Looks up the secrets of the agents of one run. */
  readonly learn: (agents: Iterable<Agent>, order: RunOrder) => Promise<void>;
  /** Connects the agents of one run. */
  readonly connectAgents: (order: RunOrder) => ConnectAgent;
  readonly observer?: RunObserver | undefined;
}

/** How many recently used orchestrations a worker caches: creating one reads and compiles all its agents. */
const mostKept = 20;

/** Runs orchestrations: the same code as in one process, over the steps and flows of the engine. Reads only the snapshot. */
export function createOrchestrationProgram({
  database,
  ports,
  providers,
  learn,
  connectAgents,
  observer,
}: OrchestrationProgramOptions): EngineProgram {
  const ready = new Map<string, Promise<Orchestration>>();

  function orchestrationOf({ snapshot_hash }: Pick<StoredRun, 'snapshot_hash'>): Promise<Orchestration> {
    const cached = ready.get(snapshot_hash);
    const orchestration = cached ?? load(snapshot_hash);
    ready.delete(snapshot_hash);
    ready.set(snapshot_hash, orchestration);
    const [oldest] = ready.keys();
    if (ready.size > mostKept && oldest !== undefined) ready.delete(oldest);
    if (!cached) orchestration.catch(() => ready.delete(snapshot_hash));
    return orchestration;
  }

  async function load(hash: string): Promise<Orchestration> {
    const [{ text, origins_text }, schemas] = await Promise.all([database.snapshot(hash), loadSchemaCompiler()]);
    const verified = verifySnapshot(text, hash, ports.sha256);
    if (!verified.ok) throw new StorageError(`The snapshot ${hash} in the database: ${verified.message} Submit the run again.`);
    const orchestration = orchestrationOfSnapshot({ value: verified.value, text, hash, origins_text }, schemas);
    if (!orchestration) throw new StorageError(`The snapshot ${hash} in the database has no orchestration. Submit the run again.`);
    return orchestration;
  }

  return {
    async lacks(snapshot_hash) {
      const { agents } = await orchestrationOf({ snapshot_hash });
      try {
        await requireKeys(agents.values(), { ports, providers });
        return undefined;
      } catch (error) {
        if (error instanceof SecretMissingError) return error.message;
        throw error;
      }
    },

    async learn(run) {
      const { agents } = await orchestrationOf(run);
      await learn(agents.values(), orderOf(run));
    },

    async run(run, work) {
      const orchestration = await orchestrationOf(run);
      const { input, context } = orderOf(run);
      const { run_id, event_count: seq } = run;
      // Followers see the start of a task before its other events, which come from another flow.
      const begun = new BegunTasks();
      const events = observeOrchestration(observer, {
        orchestration,
        run_id,
        input,
        context,
        ports,
        signal: work.signal,
        store: storeOf(run_id, work),
        ...(seq > 0 && { resume: { run_id, seq, finished_steps: await work.countSteps(), timestamp: context.timestamp } }),
        async runTask(call) {
          const { team, task, signal, ...plain } = call;
          await begun.wait(team, task, signal);
          await work.flush();
          try {
            const result = await work.startTask(taskFlowId(run_id, call), { team, task, ...plain } as unknown as JsonObject, signal);
            return result as unknown as RunResult;
          } catch (error) {
            const agent = orchestration.agents.get(call.instance);
            if (!(error instanceof CancelledError) || !agent || !signal.aborted) throw error;
            // It was active elsewhere, so its progress is unknown here.
            return { ...refusedResult(agent, toRunError(error), ports.random.id(), context), status: 'cancelled' };
          }
        },
      });
      for await (const event of events) {
        work.emit(event);
        if (event.type === 'team_start') begun.clear();
        if (event.type === 'task_start') begun.add(event.team, event.task);
      }
    },

    async task(run, call, work) {
      const { agents } = await orchestrationOf(run);
      const order = orderOf(run);
      const runTask = createRunTask({
        agents,
        connectAgent: connectAgents(order),
        ports,
        steps: work.steps,
        observer,
        delivery: order.delivery,
      });
      // Made by `runTask` above.
      const { team, task, ...taskCall } = call as unknown as Omit<TaskCall, 'signal'>;
      const result = await runTask({ team, task, ...taskCall, signal: work.signal }, (event) => {
        if (event.type === 'run_start' || event.final) return;
        work.emit({ ...event, run_id: run.run_id, team, task } as AgentEvent);
      });
      return { result: result as unknown as JsonObject, isKept: result.status !== 'cancelled' };
    },
  };
}

function orderOf({ request }: StoredRun): RunOrder {
  // Written by `orchestrateRemotely`.
  return request as unknown as RunOrder;
}

/** Paths on the side of the run's follower, which has the folder. */
function storeOf(run_id: string, work: RunWork) {
  const pathOf = (hash: string) => ({ snapshot_path: snapshotPath(run_id, hash) ?? '' });
  return {
    begin: ({ snapshot }: { readonly snapshot: { readonly hash: string } }) => pathOf(snapshot.hash),
    async snapshot({ hash, text, origins_text }: { readonly hash: string; readonly text: string; readonly origins_text: string }) {
      await work.keepSnapshot({ hash, text, origins_text });
      return pathOf(hash);
    },
    event: () => undefined,
    end: () => undefined,
  };
}

/** Tasks of the active team whose start was reported. */
class BegunTasks {
  #begun = new Set<string>();
  #waiting = new Map<string, () => void>();

  clear(): void {
    this.#begun.clear();
  }

  add(team: string, task: string): void {
    const key = `${team}/${task}`;
    this.#begun.add(key);
    this.#waiting.get(key)?.();
    this.#waiting.delete(key);
  }

  async wait(team: string, task: string, signal: AbortSignal): Promise<void> {
    const key = `${team}/${task}`;
    if (this.#begun.has(key) || signal.aborted) return;
    await new Promise<void>((resolve) => {
      // The signal belongs to the whole run, and outlives the wait.
      const done = () => {
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.set(key, done);
      signal.addEventListener('abort', done);
    });
  }
}
