import type { DurableSteps } from '../durable.js';
import type { JsonObject } from '../json.js';
import type { ModelFacts, ModelPrice } from '../llm/modelTable.js';
import type { AssistantMessage, LlmClient, UserMessage } from '../llm/types.js';
import type { MaybePromise, Ports } from '../ports.js';
import type { AgentPrompt } from '../prompt/agentPrompt.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { ResolvedAgent } from '../snapshot/types.js';
import type { ApproveTool, OpenTools } from '../tools/types.js';
import type { AgentEvent, RunContext, RunResult } from './events.js';
import type { Spending } from './sharedBudget.js';

/** One agent, ready to run: its frozen effective config, the prompt made from it, and the snapshot that names both. */
export interface Agent {
  readonly prompt: AgentPrompt;
  readonly resolved: ResolvedAgent;
  readonly snapshot: Snapshot;
  /** Facts about the model it calls; undefined when they are not known. */
  readonly model: ModelFacts | undefined;
  /** The profile's price, else the model's; undefined when neither is known. */
  readonly price: ModelPrice | undefined;
  /** Compiles what its tools take, once for all its runs. Default: each run has its own. */
  readonly schemas?: SchemaCompiler;
  /** Holds the agents that its plan calls, and those that theirs call, by `name@version`. Absent where it calls none. */
  readonly agents?: ReadonlyMap<string, Agent>;
}

/** Where a run is kept. `core/run` writes it to `.agentstack/runs/{run_id}`; a run without a store is kept by its caller only. */
export interface RunStore {
  /** Writes the frozen config before anything runs, and returns its project path. @throws StorageError */
  begin(run: {
    readonly run_id: string;
    readonly agent: Agent;
    readonly context: RunContext;
    readonly payload: JsonObject;
    /** Milliseconds that the run has been at work, in earlier processes too, without the time in which a person was asked. */
    readonly elapsed?: () => number;
  }): Promise<{ snapshot_path: string }>;
  /** @throws StorageError */
  event(event: AgentEvent): void | Promise<void>;
  /** @throws StorageError */
  end(result: RunResult): void | Promise<void>;
}

/** What a session remembers: the messages of its runs, in order, without system messages and thoughts. */
export type SessionMessage = UserMessage | AssistantMessage;

/** Keeps the conversations of sessions. */
export interface SessionStore {
  /** All messages of complete turns, oldest first; empty for a new session. @throws StorageError */
  load(session_id: string): Promise<readonly SessionMessage[]>;
  /** Adds messages as they happen. What a run adds stays together, even when other runs write at the same time. @throws StorageError */
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
  /** A record answers in place of the model: nothing is paid. Default false. */
  readonly isReplay?: boolean;
  /** Makes the tools of the run. Default: none. Only agents that reason in a loop or follow a plan call it. */
  readonly openTools?: OpenTools;
  /** Asked before each call of a tool that needs approval. Default: such a call ends the run with `denied`. */
  readonly approve?: ApproveTool;
  /** Keeps conversations. Used by agents with `include_history`, when the context names a session. */
  readonly sessions?: SessionStore;
  /** `stream` (default) yields text as it comes; `call` asks for the whole answer at once and yields it as one chunk. */
  readonly delivery?: 'stream' | 'call';
  /** Keeps each model call, approval and tool call, so that the run can go on in another process. Default: nothing is kept. */
  readonly steps?: DurableSteps;
  /** Connects the agents that a plan calls. Needed by plans that call agents. */
  readonly connectAgent?: ConnectAgent;
  /** The agents whose plans have led to this run, `name@version`, outermost first. Default: none. */
  readonly callers?: readonly string[];
  /** A budget shared with agents that work at the same time: each call is checked against what is left of it. Default: none. */
  readonly spending?: Spending;
  /** Of a run that an earlier process began: it goes on as the same run. `steps` hold what that one left. */
  readonly resume?: ResumedRun;
}

/** A request as a program writes it: a payload whose type is an interface will do. */
export type GivenRunRequest = Omit<RunRequest, 'payload'> & { readonly payload: object };

/** What of a run is known when it goes on in another process. */
export interface ResumedRun {
  readonly run_id: string;
  /** Number of its next event. */
  readonly seq: number;
  /** Steps that are taken over, told in `run_start`. */
  readonly finished_steps: number;
  /** When it began, ISO 8601. */
  readonly timestamp: string;
  /** Milliseconds that it was at work, as far as is known: its time limits go on counting from there. Default 0. */
  readonly elapsed_ms?: number;
  /** What its calls have cost, in USD, where it has a budget that tasks spend together. Default 0. */
  readonly spent_usd?: number;
}

/** Everything outside that an agent talks to: its model, its tools, and the person who approves their calls. */
export type AgentConnections = Pick<RunRequest, 'llm' | 'openTools' | 'approve' | 'isReplay'>;

/**
 * Connects an agent to its model and tools.
 *
 * @param place where in the run it works: `{execution}/{team}/{task}` of a task, behind it `/{name}@{version}` of an agent that its plan calls;
 * undefined where the plan is that of the run itself
 * @throws AgentStackError
 */
export type ConnectAgent = (agent: Agent, place?: string) => MaybePromise<AgentConnections>;
