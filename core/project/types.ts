import type { AgentEvent, RunContext } from '../agent/events.js';
import type { Gate } from '../agent/gate.js';
import type { AgentFactory } from '../agent/load/agentFactory.js';
import type { LoadedAgent } from '../agent/load/loadAgent.js';
import type { Refused } from '../agent/load/refused.js';
import type { ResultAliases } from '../agent/runAgent.js';
import type { Spending } from '../agent/sharedBudget.js';
import type { SessionStore } from '../agent/types.js';
import type { CheckProjectOptions, CheckReport } from '../check/checkProject.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import type { AskUnfinished } from '../durable.js';
import type { ForkPlan } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import type { Ports } from '../ports.js';
import type { KeptRun } from '../run/keptRecording.js';
import type { RunRecording, TeamRunRecording } from '../run/readRecording.js';
import type { CallOverrides } from '../snapshot/types.js';
import type { LoadedOrchestration } from '../team/loadOrchestration.js';
import type { ApproveTool } from '../tools/types.js';
import type { AgentName, AgentTypes, OrchestrationName, OrchestrationTypes, ProjectEvent, ProjectResult } from './agentTypes.js';

/** Options of runs of agents and of orchestrations. */
export interface RunOptions {
  readonly context?: Partial<RunContext>;
  readonly signal?: AbortSignal;
  /** `stream` (default) yields text as it arrives; `call` requests the whole answer at once. */
  readonly delivery?: 'stream' | 'call';
  /** Called before each call of a tool that needs approval, as all MCP tools do. Default: such a call ends the agent with `denied`. */
  readonly approve?: ApproveTool;
  /** File to which every model and tool exchange is written, without secrets. Relative to the working directory; an existing file is replaced. */
  readonly record?: string;
  /** Such a file, or the record of a kept run, which answers instead of models, tools, servers and sessions. Needs no key and no network. */
  readonly replay?: string | RunRecording | TeamRunRecording;
  /** Called before and after each model and tool call and at each route: a person may look, change and continue. Default: the run never stops. */
  readonly gate?: Gate;
  /** A budget that this run shares with others, in addition to that of its context. Default: none. */
  readonly spending?: Spending;
}

export interface AgentRunOptions extends RunOptions {
  /** The input; the agent's `input_keys` and `input_schema` describe it. */
  readonly payload: unknown;
  /** User, session, trace and budget. `session_id`: agents with `include_history` continue that conversation. `budget`: limits of this run only. */
  readonly context?: Partial<RunContext>;
  /** Keeps the conversation of `session_id`. Default: `.agentstack/sessions`, which `resume` always uses. */
  readonly sessions?: SessionStore;
  /** `folder`: the run is kept in `.agentstack/runs/{run_id}`. `none`: only its session is saved. Default `none`; `folder` with `durable`. */
  readonly keep?: 'folder' | 'none';
  /** Also keeps each model and tool call in `.agentstack/journal`, for `resume`. Default false; not with `keep: 'none'`. */
  readonly durable?: boolean;
}

export interface OrchestrationRunOptions extends RunOptions {
  /** The input: applied to the orchestration's context as a merge patch. Default: nothing. */
  readonly input?: object;
  /** User, trace and budget. `budget`: limits of the whole run. */
  readonly context?: Partial<RunContext>;
  /** `folder`: the run is kept in `.agentstack/runs/{run_id}`, and its steps in `.agentstack/journal`, so that it can be resumed. Default `none`: nothing is written. */
  readonly keep?: 'folder' | 'none';
}

export interface ProjectResumeOptions extends Pick<RunOptions, 'signal' | 'delivery' | 'approve' | 'gate'> {
  /** Called for each interrupted call that must not be repeated without asking. Default: the run stops there. */
  readonly askUnfinished?: AskUnfinished;
}

/** A replay takes everything else from its run. */
export type ReplayRunOptions = Pick<RunOptions, 'signal' | 'delivery' | 'gate'>;

/** An agent of the project by name. */
export interface AgentRequest {
  readonly agent_name: string;
  /** Default: the newest by natural order. */
  readonly version?: string | undefined;
  /** The highest layer: agent fields, and an LLM profile instead of the agent's. */
  readonly overrides?: CallOverrides;
}

/** An orchestration of the project by name, `orchestrations/{name}.json`. */
export interface OrchestrationRequest {
  readonly name: string;
  /** The highest layer of every agent in it: agent fields, and an LLM profile instead of theirs. */
  readonly overrides?: CallOverrides;
}

export interface LoadOptions {
  /** The result of a recent `index`. Default: the files are read now. */
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
    /** The input; the agent's `input_keys` and `input_schema` describe it. */
    readonly payload: AgentTypes<Name, Version>['payload'];
  };

/** A run of an agent from `load`. */
export type LoadedAgentRunRequest = AgentRunOptions & { readonly agent: LoadedAgent | Refused };

export type ProjectRunRequest = NamedAgentRunRequest | LoadedAgentRunRequest;

/** An orchestration by name, or from `loadOrchestration`. */
export type OrchestrationSource = OrchestrationRequest | { readonly orchestration: LoadedOrchestration | Refused };

/** A run of an orchestration by its name. `agent-stack types` makes the input and the output typed. */
export type NamedOrchestrateRequest<Name extends string = string> = Omit<OrchestrationRunOptions, 'input'> &
  Omit<OrchestrationRequest, 'name'> & {
    readonly name: Name;
    /** The input: applied to the orchestration's context as a merge patch. Default: nothing. */
    readonly input?: OrchestrationTypes<Name>['input'];
  };

/** A run of an orchestration from `loadOrchestration`. */
export type LoadedOrchestrateRequest = OrchestrationRunOptions & Exclude<OrchestrationSource, OrchestrationRequest>;

export type ProjectOrchestrateRequest = OrchestrationRunOptions & OrchestrationSource;

/** A run or a record, and what is changed. Exactly one of `run_id` and `record` is needed. */
export interface ForkRequest {
  /** Id of a kept run, the beginning of it, or `last`. */
  readonly run_id?: string;
  /** File that a run has recorded, as for `replay`. */
  readonly record?: string;
  /** Files in other words, by project path, without writing them: a change that is not saved. Default: the current files. */
  readonly texts?: ReadonlyMap<string, string>;
  /** The input, for a record without one, or with masked secrets. Default: that of the run. */
  readonly input?: object;
  /** This llm profile instead of that of the run. */
  readonly llm?: string;
  /** Which `environments/{name}.json` applies. Default: that of a kept run, else that of the project. */
  readonly environment_name?: string;
}

export interface ForkRunOptions extends Pick<RunOptions, 'signal' | 'delivery' | 'approve' | 'record' | 'gate' | 'spending'> {
  readonly context?: Partial<RunContext>;
  /** `folder` (default): the fork is kept as a run of its own, and names its origin. */
  readonly keep?: 'folder' | 'none';
}

/** A run that can be forked: nothing has been called yet. */
export interface Fork {
  readonly plan: ForkPlan;
  /** Null for a record. */
  readonly run_id: string | null;
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** Null for an orchestration. */
  readonly version: string | null;
  /** The agent or orchestration as it is now. */
  readonly loaded: LoadedAgent | LoadedOrchestration;
  /** Name of the case that the run had. */
  readonly case: string | undefined;
  readonly input: JsonObject | undefined;
  /** The events of the run that is forked, told by its record; without an id if no run of it is kept. */
  original(): Promise<readonly AgentEvent[]>;
  /** Runs one fork, and another one with each call. Before the first changed request of a place the record answers; from there on it runs live. */
  run(options?: ForkRunOptions): AsyncGenerator<AgentEvent, void, undefined>;
}

/** A project folder. It has no state: each call reads the current files. */
export interface Project {
  readonly ports: Ports;
  readonly factory: AgentFactory;
  /** The current config files: names, references and layers. */
  index(): Promise<LoadedIndex>;
  check(options?: Pick<CheckProjectOptions, 'index' | 'paths' | 'signal'>): Promise<CheckReport>;
  /** An agent, read, checked, resolved and frozen once for all its uses; or why it cannot run. */
  load(request: AgentRequest & LoadOptions): Promise<LoadedAgent | Refused>;
  /** The same for an orchestration. */
  loadOrchestration(request: OrchestrationRequest & LoadOptions): Promise<LoadedOrchestration | Refused>;
  /** Runs an agent; ends with exactly one `final` event. Leaving the loop early cancels the run. */
  run<const Name extends AgentName, const Version extends string | undefined = undefined>(
    request: NamedAgentRunRequest<Name, Version>,
  ): AsyncGenerator<ProjectEvent<AgentTypes<Name, Version>['output']>, void, undefined>;
  run(request: LoadedAgentRunRequest): AsyncGenerator<ProjectEvent, void, undefined>;
  /** The same, returning only its result. */
  invoke<const Name extends AgentName, const Version extends string | undefined = undefined>(
    request: NamedAgentRunRequest<Name, Version>,
  ): Promise<ProjectResult<AgentTypes<Name, Version>['output']> & ResultAliases>;
  invoke(request: LoadedAgentRunRequest): Promise<ProjectResult & ResultAliases>;
  /** Runs an orchestration; ends with exactly one `final` event. Leaving the loop early cancels the run. With `keep: 'folder'` it can be resumed. */
  orchestrate<const Name extends OrchestrationName>(
    request: NamedOrchestrateRequest<Name>,
  ): AsyncGenerator<ProjectEvent<OrchestrationTypes<Name>['output']>, void, undefined>;
  orchestrate(request: LoadedOrchestrateRequest): AsyncGenerator<ProjectEvent, void, undefined>;
  /** The same, returning only its result. */
  invokeOrchestration<const Name extends OrchestrationName>(
    request: NamedOrchestrateRequest<Name>,
  ): Promise<ProjectResult<OrchestrationTypes<Name>['output']> & ResultAliases>;
  invokeOrchestration(request: LoadedOrchestrateRequest): Promise<ProjectResult & ResultAliases>;
  /**
   * Resumes a run that was cancelled or whose process ended: finished steps are taken from the journal, not repeated. Reads its folder and its
   * journals, but no config.
   * @throws ResumeError, StorageError with the first event if it cannot be resumed; nothing has changed then
   */
  resume(run_id: string, options?: ProjectResumeOptions): AsyncGenerator<AgentEvent, void, undefined>;
  /**
   * A kept run as its record, with what it had frozen. Nothing is called and nothing written.
   * @param run its id, the beginning of it, or `last`
   * @throws InputInvalidError if there is no such run or it cannot be made again exactly, StorageError if its journal cannot be read
   */
  recordingOf(run: string): Promise<KeptRun>;
  /**
   * Replays a kept run with its frozen config; the current files do not matter.
   * @param run as for `recordingOf`, or its result
   * @throws as `recordingOf`
   */
  replay(run: string | KeptRun, options?: ReplayRunOptions): AsyncGenerator<AgentEvent, void, undefined>;
  /**
   * Opens a kept run or a record to run it again from the first request that a change touches: the requests before are answered by the record, and
   * free. Calls nothing yet: `plan` says what will be live, and why; `run` runs it.
   * @throws InputInvalidError if there is no such run or record, the error of a config that cannot run
   */
  fork(request: ForkRequest): Promise<Fork>;
  /** Sends pending telemetry, within a time limit. Call it before the program ends. */
  flush(): Promise<void>;
}
