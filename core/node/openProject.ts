import { resolve } from 'node:path';
import { type AgentFactory, createAgentFactory } from '../agent/agentFactory.js';
import type { AgentEvent } from '../agent/events.js';
import { type ResultAliases, resultOf } from '../agent/invokeAgent.js';
import { type LoadedAgent, loadAgent } from '../agent/loadAgent.js';
import type { RunObserver } from '../agent/observeRun.js';
import { orRefused, type Refused } from '../agent/refused.js';
import { type CheckProjectOptions, type CheckReport, checkProject } from '../check/checkProject.js';
import { type LoadedIndex, loadProjectIndex, type RegisteredFor } from '../config/loadProjectIndex.js';
import { readProjectSettings } from '../config/readProjectSettings.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { Ports } from '../ports.js';
import { loadSchemaCompiler } from '../schema/loadSchemaCompiler.js';
import type { CallOverrides } from '../snapshot/types.js';
import { type LoadedOrchestration, loadOrchestration } from '../team/loadOrchestration.js';
import { createTelemetry } from '../telemetry/createTelemetry.js';
import { createEnvironmentInputs, type ResolveInput } from '../tools/mcp/resolveServer.js';
import type { TrustedTools } from '../tools/openTools.js';
import { createToolRegistry } from '../tools/registry.js';
import type { Tool } from '../tools/types.js';
import { createNodePorts } from './nodePorts.js';
import { importTools } from './ownTools/importTools.js';
import { createOwnTools, type LoadTools } from './ownTools/ownTools.js';
import type { AgentName, AgentTypes, OrchestrationName, OrchestrationTypes, ProjectEvent, ProjectResult } from './projectAgents.js';
import {
  type AgentRunOptions,
  type OrchestrationRunOptions,
  type ProjectResumeOptions,
  type ProjectRuntime,
  resume,
  runProjectAgent,
  runProjectOrchestration,
} from './projectRuns.js';
import { createRunKeeping } from './runKeeping.js';

export interface OpenProjectOptions {
  /** The folder that holds `agentstack.json` or `config`. Default: the folder that the program runs in. */
  readonly directory?: string;
  /** Which `environments/{name}.json` applies. Default: that of `agentstack.json`, else `dev`. */
  readonly environment_name?: string;
  /** Replaces single ports, e.g. `secrets` of your own vault. */
  readonly ports?: Partial<Ports>;
  /** Your own providers beside the built-in ones; tried first. Agents and profiles may name them. */
  readonly providers?: readonly LlmProvider[];
  /**
   * Your own tools (`defineTool`), for agents that name them in `enabled_tools`, beside those of the module that agentstack.json names. One takes the
   * place of a tool of the module that has its name.
   * @throws TypeError where one is not as it should be, from the first run on
   */
  readonly tools?: readonly Tool[];
  /** How the module that agentstack.json names under `tools` is loaded; `never` leaves it alone. Default: into this process. */
  readonly loadTools?: LoadTools | 'never';
  /** Values of `${input:id}` in mcp.json. Default: the environment variable `INPUT_ID`. */
  readonly resolveInput?: ResolveInput;
  /** MCP tools that are called without asking, by client id: of servers you trust, tools that only read. */
  readonly trustedTools?: TrustedTools;
  /** Watches runs. Default: OpenTelemetry, where `OTEL_EXPORTER_OTLP_ENDPOINT` is set. */
  readonly observer?: RunObserver;
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

/** Opens the project in a folder, the one that holds `agentstack.json` or `config`. Reads nothing yet. */
export function openProject(options?: OpenProjectOptions): Project;
export function openProject(directory: string, options?: Omit<OpenProjectOptions, 'directory'>): Project;
export function openProject(first: string | OpenProjectOptions = {}, second: OpenProjectOptions = {}): Project {
  const options: OpenProjectOptions = typeof first === 'string' ? { ...second, directory: first } : first;
  const { directory = '.', environment_name, ports: replaced = {}, providers = [], tools = [], trustedTools: trusted } = options;
  const root = resolve(directory);
  const ports = createNodePorts(root, replaced);
  const observer = options.observer ?? createTelemetry(ports.environment, ports);
  const registry = createToolRegistry(tools);
  const resolveInput = options.resolveInput ?? createEnvironmentInputs(ports);
  const keeping = createRunKeeping(root, ports);
  const ownTools = createOwnTools({
    root,
    tools: registry.tools,
    providers: providers.map(({ name }) => name),
    load: options.loadTools ?? importTools,
  });
  const registered: RegisteredFor = async (settings) => (await ownTools(settings)).registered;
  let checked: Promise<void> | undefined;
  const checkTools = (): Promise<void> => {
    checked ??= tools.length === 0 ? Promise.resolve() : loadSchemaCompiler().then((schemas) => registry.check(schemas));
    return checked;
  };

  /** The tools that there were when something was loaded, so that its run does not read the settings again. */
  const toolsOf = new WeakMap<object, readonly Tool[]>();
  const withToolsOf = <Loaded extends object>(source: object, loaded: Loaded): Loaded => {
    const found = toolsOf.get(source);
    if (found !== undefined) toolsOf.set(loaded, found);
    return loaded;
  };

  /** What a run needs. @param loaded what runs; default: what its snapshot holds */
  async function connect(loaded?: object): Promise<ProjectRuntime> {
    const found = loaded && toolsOf.get(loaded);
    const own = found ?? (await ownTools(await readProjectSettings(ports.files))).tools;
    return { ports, providers, tools: own, resolveInput, trusted, observer, keeping };
  }

  async function index(): Promise<LoadedIndex> {
    let found: readonly Tool[] = [];
    const loaded = await loadProjectIndex(ports.files, {
      async registered(settings) {
        const own = await ownTools(settings);
        found = own.tools;
        return own.registered;
      },
    });
    toolsOf.set(loaded, found);
    return loaded;
  }

  async function load(request: AgentRequest & LoadOptions): Promise<LoadedAgent | Refused> {
    if (typeof request?.agent_name !== 'string') throw new TypeError('load needs agent_name, the name of an agent.');
    const { agent_name, overrides } = request;
    const source = await sourceOf(request);
    const version = request.version ?? source.project.versions(agent_name).at(-1) ?? 'v1';
    return withToolsOf(
      source.project,
      await orRefused(agent_name, version, () => loadAgent({ ...source, agent_name, version, overrides })),
    );
  }

  async function loadTeam(request: OrchestrationRequest & LoadOptions): Promise<LoadedOrchestration | Refused> {
    if (typeof request?.name !== 'string') throw new TypeError('loadOrchestration needs name, the name of an orchestration.');
    const { name, overrides } = request;
    const source = await sourceOf(request);
    return withToolsOf(source.project, await orRefused(name, null, () => loadOrchestration({ ...source, name, overrides })));
  }

  async function sourceOf({ index: given, environment_name: chosen = environment_name }: LoadOptions) {
    return { ports, environment_name: chosen, project: given ?? (await index()) };
  }

  async function* run(request: ProjectRunRequest): AsyncGenerator<ProjectEvent, void, undefined> {
    if (!('agent' in request) && typeof request.agent_name !== 'string')
      throw new TypeError('A run needs agent_name, the name of an agent, or agent, what project.load gave.');
    await checkTools();
    const loaded = 'agent' in request ? request.agent : await load(request);
    yield* runProjectAgent(await connect(loaded), loaded, request) as AsyncGenerator<ProjectEvent, void, undefined>;
  }

  // What is typed by the agent's name is what its schemas, which have been checked, say.
  return Object.freeze({
    ports,
    factory: createAgentFactory({ ports, registered, ...(environment_name !== undefined && { environment_name }) }),
    index,
    check: async (options: Parameters<Project['check']>[0] = {}) =>
      checkProject({
        files: ports.files,
        variables: ports.environment,
        clock: ports.clock,
        ...options,
        index: options.index ?? (await index()),
      }),
    load,
    loadOrchestration: loadTeam,
    run,
    invoke: async (request: ProjectRunRequest) => resultOf(run(request)),
    async *orchestrate(request: ProjectOrchestrateRequest) {
      if (!('orchestration' in request) && typeof request.name !== 'string')
        throw new TypeError('A run needs name, the name of an orchestration, or orchestration, what project.loadOrchestration gave.');
      await checkTools();
      const loaded = 'orchestration' in request ? request.orchestration : await loadTeam(request);
      yield* runProjectOrchestration(await connect(loaded), loaded, request);
    },
    async *resume(run_id: string, options?: ProjectResumeOptions) {
      await checkTools();
      yield* resume(await connect(), run_id, options);
    },
    flush: async () => observer?.flush?.(),
  }) as Project;
}
