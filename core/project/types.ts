import type { AgentEvent, RunContext } from '../agent/events.js';
import type { AgentFactory } from '../agent/load/agentFactory.js';
import type { LoadedAgent } from '../agent/load/loadAgent.js';
import type { Refused } from '../agent/load/refused.js';
import type { ResultAliases } from '../agent/runAgent.js';
import type { Spending } from '../agent/sharedBudget.js';
import type { CheckProjectOptions, CheckReport } from '../check/checkProject.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import type { AskUnfinished } from '../durable.js';
import type { Ports } from '../ports.js';
import type { CallOverrides } from '../snapshot/types.js';
import type { LoadedOrchestration } from '../team/loadOrchestration.js';
import type { ApproveTool } from '../tools/types.js';
import type { AgentName, AgentTypes, OrchestrationName, OrchestrationTypes, ProjectEvent, ProjectResult } from './agentTypes.js';

/** Options of agents and orchestrations alike. */
export interface RunOptions {
  readonly context?: Partial<RunContext>;
  readonly signal?: AbortSignal;
  /** `stream` (default) yields text as it comes; `call` asks for the whole answer at once. */
  readonly delivery?: 'stream' | 'call';
  /** Asked before each call of a tool that needs approval, as all of MCP servers do. Default: such a call ends the agent with `denied`. */
  readonly approve?: ApproveTool;
  /** File that every model and tool exchange is written to, without secrets. From the working directory; replaced when it is there. */
  readonly record?: string;
  /** Such a file, which answers in place of models, tools, servers and sessions. Needs no key and no network. */
  readonly replay?: string;
  /** Money that this run spends together with others, beside the budget of its context. Default: it has its own alone. */
  readonly spending?: Spending;
}

export interface AgentRunOptions extends RunOptions {
  /** The input; what it must hold is said by the agent's `input_keys` and `input_schema`. */
  readonly payload: unknown;
  /** User, session, trace and budget. `session_id`: agents with `include_history` continue that conversation. `budget`: limits of this run alone. */
  readonly context?: Partial<RunContext>;
  /** `folder`: the run is kept in `.agentstack/runs/{run_id}`. `none`: it is not; a session is saved all the same. Default `none`; `folder` with `durable`. */
  readonly keep?: 'folder' | 'none';
  /** Also keeps each model and tool call in `.agentstack/journal`, for `resume`. Default false; not with `keep: 'none'`. */
  readonly durable?: boolean;
}

export interface OrchestrationRunOptions extends RunOptions {
  /** Laid over the orchestration's own context as a merge patch. Default: nothing. */
  readonly input?: object;
  /** User, trace and budget. `budget`: limits of the whole run. */
  readonly context?: Partial<RunContext>;
  /** `folder`: the run is kept in `.agentstack/runs/{run_id}`, and its steps in `.agentstack/journal`, so that it can be resumed. Default `none`: nothing is written. */
  readonly keep?: 'folder' | 'none';
}

export interface ProjectResumeOptions extends Pick<RunOptions, 'signal' | 'delivery' | 'approve'> {
  /** Asked about each call that may not silently be made twice and was under way when the run was interrupted. Default: the run stops there. */
  readonly askUnfinished?: AskUnfinished;
}

/** Names an agent of the project. */
export interface AgentRequest {
  readonly agent_name: string;
  /** Default: the newest by natural order. */
  readonly version?: string | undefined;
  /** The highest layer: agent fields, and an llm profile in place of the agent's own. */
  readonly overrides?: CallOverrides;
}

/** Names an orchestration of the project, `orchestrations/{name}.json`. */
export interface OrchestrationRequest {
  readonly name: string;
  /** The highest layer of every agent in it: agent fields, and an llm profile in place of their own. */
  readonly overrides?: CallOverrides;
}

export interface LoadOptions {
  /** What `index` read a moment ago. Default: the files are read now. */
  readonly index?: LoadedIndex;
  /** Which `environments/{name}.json` applies. Default: that of the project. */
  readonly environment_name?: string | undefined;
}

/** A run of an agent by its name. `agent-stack types` makes the payload and the output typed. */
export type NamedAgentRunRequest<Name extends string = string, Version extends string | undefined = string | undefined> = Omit<
  AgentRunOptions,
  'payload'
> &
  Omit<AgentRequest, 'agent_name' | 'version'> & {
    readonly agent_name: Name;
    /** Default: the newest by natural order. */
    readonly version?: Version;
    /** The input; what it must hold is said by the agent's `input_keys` and `input_schema`. */
    readonly payload: AgentTypes<Name, Version>['payload'];
  };

/** A run of an agent that `load` gave. */
export type LoadedAgentRunRequest = AgentRunOptions & { readonly agent: LoadedAgent | Refused };

export type ProjectRunRequest = NamedAgentRunRequest | LoadedAgentRunRequest;

/** An orchestration that is named, or that `loadOrchestration` gave. */
export type OrchestrationSource = OrchestrationRequest | { readonly orchestration: LoadedOrchestration | Refused };

/** A run of an orchestration by its name. `agent-stack types` makes the input and the output typed. */
export type NamedOrchestrateRequest<Name extends string = string> = Omit<OrchestrationRunOptions, 'input'> &
  Omit<OrchestrationRequest, 'name'> & {
    readonly name: Name;
    /** Laid over the orchestration's own context as a merge patch. Default: nothing. */
    readonly input?: OrchestrationTypes<Name>['input'];
  };

/** A run of an orchestration that `loadOrchestration` gave. */
export type LoadedOrchestrateRequest = OrchestrationRunOptions & Exclude<OrchestrationSource, OrchestrationRequest>;

export type ProjectOrchestrateRequest = OrchestrationRunOptions & OrchestrationSource;

/** A project folder with everything assembled. Holds no state of its own: each call reads the files as they are then. */
export interface Project {
  readonly ports: Ports;
  readonly factory: AgentFactory;
  /** The config files as they are now: names, references, and what lies under other files. */
  index(): Promise<LoadedIndex>;
  check(options?: Pick<CheckProjectOptions, 'index' | 'paths' | 'signal'>): Promise<CheckReport>;
  /** An agent, read, checked, resolved and frozen once for everything that uses it; or why it cannot run. */
  load(request: AgentRequest & LoadOptions): Promise<LoadedAgent | Refused>;
  /** The same for an orchestration. */
  loadOrchestration(request: OrchestrationRequest & LoadOptions): Promise<LoadedOrchestration | Refused>;
  /** Runs an agent; ends with exactly one `final` event. Leaving the loop early cancels the run. */
  run<const Name extends AgentName, const Version extends string | undefined = undefined>(
    request: NamedAgentRunRequest<Name, Version>,
  ): AsyncGenerator<ProjectEvent<AgentTypes<Name, Version>['output']>, void, undefined>;
  run(request: LoadedAgentRunRequest): AsyncGenerator<ProjectEvent, void, undefined>;
  /** The same for its result alone. */
  invoke<const Name extends AgentName, const Version extends string | undefined = undefined>(
    request: NamedAgentRunRequest<Name, Version>,
  ): Promise<ProjectResult<AgentTypes<Name, Version>['output']> & ResultAliases>;
  invoke(request: LoadedAgentRunRequest): Promise<ProjectResult & ResultAliases>;
  /** Runs an orchestration; ends with exactly one `final` event. Leaving the loop early cancels the run. With `keep: 'folder'` it can be resumed. */
  orchestrate<const Name extends OrchestrationName>(
    request: NamedOrchestrateRequest<Name>,
  ): AsyncGenerator<ProjectEvent<OrchestrationTypes<Name>['output']>, void, undefined>;
  orchestrate(request: LoadedOrchestrateRequest): AsyncGenerator<ProjectEvent, void, undefined>;
  /**
   * Resumes a run whose process ended, or that was cancelled: what was finished is taken from the journal and not done again. Reads its folder
   * and the journals it names, no config.
   * @throws ResumeError, StorageError from the first event on, where it cannot be resumed; nothing has changed then
   */
  resume(run_id: string, options?: ProjectResumeOptions): AsyncGenerator<AgentEvent, void, undefined>;
  /** Sends the telemetry that is still held back, in bounded time. Call it before the program ends. */
  flush(): Promise<void>;
}
