import { createAgentFactory } from '../agent/load/agentFactory.js';
import { type LoadedAgent, loadAgent } from '../agent/load/loadAgent.js';
import { orRefused, type Refused } from '../agent/load/refused.js';
import type { RunObserver } from '../agent/observeRun.js';
import { resultOf } from '../agent/runAgent.js';
import { checkProject } from '../check/checkProject.js';
import { type LoadedIndex, loadProjectIndex, type RegisteredFor } from '../config/loadProjectIndex.js';
import { readProjectSettings } from '../config/readProjectSettings.js';
import { dayOf } from '../day.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import { overlayFiles } from '../overlayFiles.js';
import type { KeptRun } from '../run/keptRecording.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { type LoadedOrchestration, loadOrchestration } from '../team/loadOrchestration.js';
import { createTelemetry } from '../telemetry/createTelemetry.js';
import { createEnvironmentInputs, type ResolveInput } from '../tools/mcp/resolveServer.js';
import type { AnswerServer } from '../tools/mcp/serverQuestion.js';
import type { TrustedTools } from '../tools/openTools.js';
import { createToolRegistry } from '../tools/registry.js';
import type { Tool } from '../tools/types.js';
import type { ProjectAdapters } from './adapters.js';
import type { ProjectEvent } from './agentTypes.js';
import { explained, type ForkSubject, openFork } from './forks.js';
import { createOwnTools } from './ownTools.js';
import { type ProjectRuntime, replayKept, resume, runProjectAgent, runProjectOrchestration } from './runs.js';
import type {
  AgentRequest,
  Fork,
  ForkRequest,
  LoadOptions,
  OrchestrationRequest,
  Project,
  ProjectOrchestrateRequest,
  ProjectResumeOptions,
  ProjectRunRequest,
  ReplayRunOptions,
} from './types.js';

export interface ProjectOptions {
  /** Which `environments/{name}.json` applies. Default: that of `agentstack.json`, else `dev`. */
  readonly environment_name?: string;
  /** Your own providers, in addition to the built-in ones and tried first. Agents and profiles may name them. */
  readonly providers?: readonly LlmProvider[];
  /**
   * Your own tools (`defineTool`), for agents that name them in `enabled_tools`, in addition to those of the module in agentstack.json. A tool
   * replaces one of the module with the same name.
   * @throws TypeError for an invalid tool, from the first run on
   */
  readonly tools?: readonly Tool[];
  /** Values of `${input:id}` in mcp.json. Default: the environment variable `INPUT_ID`. */
  readonly resolveInput?: ResolveInput;
  /**
   * Asks the user what an MCP server wants to know during a call (elicitation). Default: servers are told that nobody can be asked, and most fail the
   * call.
   */
  readonly answer?: AnswerServer;
  /** MCP tools that are called without approval, by client id: read-only tools of servers that you trust. */
  readonly trustedTools?: TrustedTools;
  /** Observes runs. Default: OpenTelemetry, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. */
  readonly observer?: RunObserver;
}

/** A project over its adapters. Reads nothing yet. */
export function createProject({ ports, keeping, records, loadModule }: ProjectAdapters, options: ProjectOptions): Project {
  const { environment_name, providers = [], tools = [], trustedTools: trusted, answer } = options;
  const observer = options.observer ?? createTelemetry(ports.environment, ports);
  const registry = createToolRegistry(tools);
  const resolveInput = options.resolveInput ?? createEnvironmentInputs(ports);
  const codeTools = createOwnTools({ tools: registry.tools, providers: providers.map(({ name }) => name), load: loadModule });
  const registered: RegisteredFor = async (settings) => (await codeTools(settings)).registered;
  let checked: Promise<void> | undefined;
  const checkTools = (): Promise<void> => {
    checked ??= tools.length === 0 ? Promise.resolve() : loadSchemaCompiler().then((schemas) => registry.check(schemas));
    return checked;
  };

  /** The tools at the time something was loaded, so that its run does not read the settings again. */
  const toolsOf = new WeakMap<object, readonly Tool[]>();
  const withToolsOf = <Loaded extends object>(source: object, loaded: Loaded): Loaded => {
    const indexed = toolsOf.get(source);
    if (indexed !== undefined) toolsOf.set(loaded, indexed);
    return loaded;
  };

  /** The runtime of a run. @param loaded what runs. Default: the content of its snapshot */
  async function connect(loaded?: object): Promise<ProjectRuntime> {
    const available = (loaded && toolsOf.get(loaded)) ?? (await codeTools(await readProjectSettings(ports.files))).tools;
    return { ports, providers, tools: available, resolveInput, trusted, answer, observer, keeping, records };
  }

  async function index(files = ports.files): Promise<LoadedIndex> {
    let indexed: readonly Tool[] = [];
    const loaded = await loadProjectIndex(files, {
      async registered(settings) {
        const found = await codeTools(settings);
        indexed = found.tools;
        return found.registered;
      },
    });
    toolsOf.set(loaded, indexed);
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

  async function sourceOf({ index: loaded, environment_name: chosen = environment_name }: LoadOptions) {
    return { ports, environment_name: chosen, project: loaded ?? (await index()) };
  }

  async function* run(request: ProjectRunRequest): AsyncGenerator<ProjectEvent, void, undefined> {
    if (!('agent' in request) && typeof request.agent_name !== 'string')
      throw new TypeError('A run needs agent_name, the name of an agent, or agent, the result of project.load.');
    await checkTools();
    const loaded = 'agent' in request ? request.agent : await load(request);
    const runtime = await connect(loaded);
    const events = runProjectAgent(runtime, loaded, request);
    const told =
      request.replay === undefined ? events : explained({ runtime, loaded, replay: request.replay, input: request.payload }, events);
    yield* told as AsyncGenerator<ProjectEvent, void, undefined>;
  }

  async function* orchestrate(request: ProjectOrchestrateRequest): AsyncGenerator<ProjectEvent, void, undefined> {
    if (!('orchestration' in request) && typeof request.name !== 'string')
      throw new TypeError('A run needs name, the name of an orchestration, or orchestration, the result of project.loadOrchestration.');
    await checkTools();
    const loaded = 'orchestration' in request ? request.orchestration : await loadTeam(request);
    const runtime = await connect(loaded);
    const events = runProjectOrchestration(runtime, loaded, request);
    const told =
      request.replay === undefined ? events : explained({ runtime, loaded, replay: request.replay, input: request.input }, events);
    yield* told as AsyncGenerator<ProjectEvent, void, undefined>;
  }

  async function recordingOf(run_id: string): Promise<KeptRun> {
    const { recordingOfRun } = await import('../run/keptRecording.js');
    return recordingOfRun({ ...(await connect()), storage: keeping.storage }, run_id);
  }

  async function fork(request: ForkRequest): Promise<Fork> {
    await checkTools();
    const { texts } = request;
    const files = texts ? overlayFiles(ports.files, texts) : ports.files;
    const loadIn = async (
      { kind, name, version, overrides, environment_name: chosen = environment_name }: ForkSubject,
      changed: boolean,
    ) => {
      const overlaid = changed ? files : ports.files;
      const project = await index(overlaid);
      const source = { ports: { ...ports, files: overlaid }, environment_name: chosen, project, overrides };
      const loaded = await orRefused<LoadedAgent | LoadedOrchestration>(name, version, () =>
        kind === 'agent' ? loadAgent({ ...source, agent_name: name, version: version ?? 'v1' }) : loadOrchestration({ ...source, name }),
      );
      return { loaded: withToolsOf(project, loaded), index: project };
    };
    return openFork({ runtime: connect, load: loadIn, files: ports.files, records, recordingOf }, request);
  }

  // The types by agent name follow from its schemas, which have been checked.
  return Object.freeze({
    ports,
    factory: createAgentFactory({ ports, registered, ...(environment_name !== undefined && { environment_name }) }),
    index: () => index(),
    check: async (options: Parameters<Project['check']>[0] = {}) =>
      checkProject({
        files: ports.files,
        variables: ports.environment,
        clock: ports.clock,
        asOf: dayOf(ports.clock.now()),
        ...options,
        index: options.index ?? (await index()),
      }),
    load,
    loadOrchestration: loadTeam,
    run,
    invoke: async (request: ProjectRunRequest) => resultOf(run(request)),
    orchestrate,
    invokeOrchestration: async (request: ProjectOrchestrateRequest) => resultOf(orchestrate(request)),
    async *resume(run_id: string, options?: ProjectResumeOptions) {
      await checkTools();
      yield* resume(await connect(), run_id, options);
    },
    fork,
    recordingOf,
    async *replay(run: string | KeptRun, options?: ReplayRunOptions) {
      yield* replayKept(await connect(), typeof run === 'string' ? await recordingOf(run) : run, options);
    },
    flush: async () => observer?.flush?.(),
  }) as Project;
}
