import { resolve } from 'node:path';
import { type AgentFactory, createAgentFactory } from '../agent/agentFactory.js';
import type { AgentEvent, RunResult } from '../agent/events.js';
import { resultOf } from '../agent/invokeAgent.js';
import { type LoadedAgent, loadAgent } from '../agent/loadAgent.js';
import type { RunObserver } from '../agent/observeRun.js';
import { orRefused, type Refused } from '../agent/refused.js';
import { type CheckProjectOptions, type CheckReport, checkProject } from '../check/checkProject.js';
import { type LoadedIndex, loadProjectIndex } from '../config/loadProjectIndex.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { Ports } from '../ports.js';
import { loadSchemaCompiler } from '../schema/loadSchemaCompiler.js';
import type { CallOverrides } from '../snapshot/types.js';
import { type LoadedOrchestration, loadOrchestration } from '../team/loadOrchestration.js';
import { createEnvironmentInputs, type ResolveInput } from '../tools/mcp/resolveServer.js';
import type { TrustedTools } from '../tools/openTools.js';
import { createToolRegistry } from '../tools/registry.js';
import type { Tool } from '../tools/types.js';
import { createNodePorts } from './nodePorts.js';
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
import { createTelemetry } from './telemetry/createTelemetry.js';

export interface OpenProjectOptions {
  /** Which `environments/{name}.json` applies. Default: that of `agentstack.json`, else `dev`. */
  readonly environment_name?: string;
  /** Replaces single ports, e.g. `secrets` of your own vault. */
  readonly ports?: Partial<Ports>;
  /** Providers beside the built-in ones, such as your own gateway's; tried first. */
  readonly providers?: readonly LlmProvider[];
  /** Your own tools (`defineTool`), for agents that name them in `enabled_tools`. @throws TypeError where one is not as it should be, from the first run on */
  readonly tools?: readonly Tool[];
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
  readonly version?: string;
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

/** A run of an agent that is named, or that `load` gave. */
export type ProjectRunRequest = AgentRunOptions & (AgentRequest | { readonly agent: LoadedAgent | Refused });

/** An orchestration that is named, or that `loadOrchestration` gave. */
export type OrchestrationSource = OrchestrationRequest | { readonly orchestration: LoadedOrchestration | Refused };

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
  run(request: ProjectRunRequest): AsyncGenerator<AgentEvent, void, undefined>;
  /** The same for its result alone. */
  invoke(request: ProjectRunRequest): Promise<RunResult>;
  /** Runs an orchestration; ends with exactly one `final` event. Leaving the loop early cancels the run. Its steps are kept, so it can be resumed. */
  orchestrate(request: ProjectOrchestrateRequest): AsyncGenerator<AgentEvent, void, undefined>;
  /**
   * Resumes a run whose process ended, or that was cancelled: what was finished is taken from the journal and not done again. Reads its folder
   * and the journals it names, no config.
   * @throws ResumeError, StorageError from the first event on, where it cannot be resumed; nothing has changed then
   */
  resume(run_id: string, options?: ProjectResumeOptions): AsyncGenerator<AgentEvent, void, undefined>;
  /** Sends the telemetry that is still held back, in bounded time. Call it before the program ends. */
  flush(): Promise<void>;
}

/** Opens the project in a folder (the one that holds `agentstack.json` or `config/agents`). Reads nothing yet. */
export function openProject(directory: string, options: OpenProjectOptions = {}): Project {
  const { environment_name, ports: replaced = {}, providers = [], tools = [], trustedTools: trusted } = options;
  const root = resolve(directory);
  const ports = createNodePorts(root, replaced);
  const observer = options.observer ?? createTelemetry(ports.environment, ports);
  const registry = createToolRegistry(tools);
  const resolveInput = options.resolveInput ?? createEnvironmentInputs(ports);
  const keeping = createRunKeeping(root, ports);
  const runtime: ProjectRuntime = { ports, providers, tools: registry.tools, resolveInput, trusted, observer, keeping };
  let checked: Promise<void> | undefined;
  const checkTools = (): Promise<void> => {
    checked ??= tools.length === 0 ? Promise.resolve() : loadSchemaCompiler().then((schemas) => registry.check(schemas));
    return checked;
  };

  const index = () => loadProjectIndex(ports.files);

  async function load(request: AgentRequest & LoadOptions): Promise<LoadedAgent | Refused> {
    const { agent_name, overrides } = request;
    const source = await sourceOf(request);
    const version = request.version ?? source.project.versions(agent_name).at(-1) ?? 'v1';
    return orRefused(agent_name, version, () => loadAgent({ ...source, agent_name, version, overrides }));
  }

  async function loadTeam(request: OrchestrationRequest & LoadOptions): Promise<LoadedOrchestration | Refused> {
    const { name, overrides } = request;
    const source = await sourceOf(request);
    return orRefused(name, null, () => loadOrchestration({ ...source, name, overrides }));
  }

  async function sourceOf({ index: given, environment_name: chosen = environment_name }: LoadOptions) {
    return { ports, environment_name: chosen, project: given ?? (await index()) };
  }

  async function* run(request: ProjectRunRequest): AsyncGenerator<AgentEvent, void, undefined> {
    await checkTools();
    yield* runProjectAgent(runtime, 'agent' in request ? request.agent : await load(request), request);
  }

  return Object.freeze<Project>({
    ports,
    factory: createAgentFactory({ ports, ...(environment_name !== undefined && { environment_name }) }),
    index,
    check: (options = {}) => checkProject({ files: ports.files, variables: ports.environment, clock: ports.clock, ...options }),
    load,
    loadOrchestration: loadTeam,
    run,
    invoke: (request) => resultOf(run(request)),
    async *orchestrate(request) {
      await checkTools();
      yield* runProjectOrchestration(runtime, 'orchestration' in request ? request.orchestration : await loadTeam(request), request);
    },
    async *resume(run_id, options) {
      await checkTools();
      yield* resume(runtime, run_id, options);
    },
    flush: async () => observer?.flush?.(),
  });
}
