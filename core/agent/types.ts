import type { DurableSteps } from '../durable.js';
import type { JsonObject } from '../json.js';
import type { ModelFacts, ModelPrice } from '../llm/modelTable.js';
import type { AssistantMessage, LlmClient, UserMessage } from '../llm/types.js';
import type { PolicyMonitor } from '../permits/monitor.js';
import type { MaybePromise, Ports } from '../ports.js';
import type { AgentPrompt } from '../prompt/agentPrompt.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import type { ApproveTool, OpenTools } from '../tools/types.js';
import type { AgentEvent, RunContext, RunResult } from './events.js';
import type { EditLog, Gate } from './gate.js';
import type { Spending } from './sharedBudget.js';

/** One agent, ready to run: its frozen effective config, the prompt made from it, and the snapshot of both. */
export interface Agent {
  readonly prompt: AgentPrompt;
  readonly resolved: ResolvedAgent;
  readonly snapshot: Snapshot;
  /** Facts about the model it calls; undefined when they are not known. */
  readonly model: ModelFacts | undefined;
  /** The profile's price, else the model's; undefined when neither is known. */
  readonly price: ModelPrice | undefined;
  /** Compiles the parameters of its tools, once for all its runs. Default: each run has its own. */
  readonly schemas?: SchemaCompiler;
  /** Contains the agents that its plan calls, directly or indirectly, by `name@version`. Absent if it calls none. */
  readonly agents?: ReadonlyMap<string, Agent>;
  /** Starts to enforce the policy of the snapshot in one run. Absent without a policy. @param hasSession whether it continues a conversation */
  readonly monitor?: (hasSession: boolean) => Promise<PolicyMonitor>;
}

/** Where a run is stored. `core/run` writes it to `.agentstack/runs/{run_id}`; without a store only the caller has it. */
export interface RunStore {
  /** Writes the frozen config before anything runs, and returns its project path. @throws StorageError */
  begin(run: {
    readonly run_id: string;
    readonly agent: Agent;
    readonly context: RunContext;
    readonly payload: JsonObject;
    /** Milliseconds the run has been active, including earlier processes, without the time spent waiting for a person. */
    readonly elapsed?: () => number;
  }): Promise<{ snapshot_path: string }>;
  /** @throws StorageError */
  event(event: AgentEvent): void | Promise<void>;
  /** @throws StorageError */
  end(result: RunResult): void | Promise<void>;
}

/** A message of a session, without thoughts. Sessions have no system messages. */
export type SessionMessage = UserMessage | AssistantMessage;

/** Stores the conversations of sessions. */
export interface SessionStore {
  /** All messages of complete turns, oldest first; empty for a new session. @throws StorageError */
  load(session_id: string): Promise<readonly SessionMessage[]>;
  /** Adds messages as they happen. Those of one run stay together, even when other runs write at the same time. @throws StorageError */
  append(session_id: string, run_id: string, messages: readonly SessionMessage[]): Promise<void>;
}

export interface RunRequest {
  readonly agent: Agent;
  readonly payload: JsonObject;
  readonly llm: LlmClient;
  readonly ports: Pick<Ports, 'clock' | 'random' | 'logger' | 'knownSecrets'>;
  readonly context?: Partial<RunContext>;
  readonly store?: RunStore;
  readonly signal?: AbortSignal;
  /** A record answers instead of the model: nothing is paid. Default false. */
  readonly isReplay?: boolean;
  /** Creates the tools of the run. Default: none. Only called by agents with a loop or a plan. */
  readonly openTools?: OpenTools;
  /** Called before each call of a tool that needs approval. Default: such a call ends the run with `denied`. */
  readonly approve?: ApproveTool;
  /** Stores conversations. Used by agents with `include_history`, when the context names a session. */
  readonly sessions?: SessionStore;
  /** `stream` (default) yields text as it arrives; `call` requests the whole answer at once and yields it as one chunk. */
  readonly delivery?: 'stream' | 'call';
  /** Stores each model call, approval and tool call, so that the run can be resumed in another process. Default: nothing is stored. */
  readonly steps?: DurableSteps;
  /** Connects the agents that a plan calls. Needed by plans that call agents. */
  readonly connectAgent?: ConnectAgent;
  /** The agents whose plans have led to this run, `name@version`, outermost first. Default: none. */
  readonly callers?: readonly string[];
  /** The steps of their plans, one of each caller. Default: none. */
  readonly caller_steps?: readonly string[];
  /** A budget shared with parallel agents: each call is checked against the remainder. Default: none. */
  readonly spending?: Spending;
  /** Where a person may look at the run and change it. Default: it never stops. */
  readonly gate?: Gate;
  /** Where the changes of a person are recorded, or those of the recorded run come from. Default: they are only in events and steps. */
  readonly edits?: EditLog;
  /** For a run of an earlier process: it continues as the same run. `steps` have the stored steps. */
  readonly resume?: ResumedRun;
}

/** A request as a program writes it: the type of its payload may be an interface. */
export type GivenRunRequest = Omit<RunRequest, 'payload'> & { readonly payload: object };

/** The state of a run that is resumed in another process. */
export interface ResumedRun {
  readonly run_id: string;
  /** Number of its next event. */
  readonly seq: number;
  /** Steps that are reused, reported in `run_start`. */
  readonly finished_steps: number;
  /** When it started, ISO 8601. */
  readonly timestamp: string;
  /** Milliseconds it has been active, as far as known: its time limits continue from there. Default 0. */
  readonly elapsed_ms?: number;
  /** The cost of its calls, in USD, if its tasks share a budget. Default 0. */
  readonly spent_usd?: number;
}

/** The connections of an agent: its model, its tools, and the approval of their calls. */
export type AgentConnections = Pick<RunRequest, 'llm' | 'openTools' | 'approve' | 'isReplay' | 'edits'>;

/**
 * Connects an agent to its model and tools.
 *
 * @param place its place in the run: `{execution}/{team}/{task}` for a task, followed by `/{name}@{version}` for an agent that its plan calls;
 * undefined if the plan is that of the run itself
 * @throws AgentStackError
 */
export type ConnectAgent = (agent: Agent, place?: string) => MaybePromise<AgentConnections>;
