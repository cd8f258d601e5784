import { resolve } from 'node:path';
import { type AgentFactory, createAgentFactory } from '../agent/agentFactory.js';
import type { AgentEvent, RunContext, RunResult } from '../agent/events.js';
import { resultOf } from '../agent/invokeAgent.js';
import type { RunObserver } from '../agent/observeRun.js';
import { startRun } from '../agent/startRun.js';
import { type CheckReport, checkProject } from '../check/checkProject.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { McpInput } from '../generated/types.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { Ports } from '../ports.js';
import type { DurableRun, RunKeeping } from '../run/durableRun.js';
import { equipAgents } from '../run/equipAgents.js';
import { equipRecordedPlan } from '../run/equipRecorded.js';
import { type EquippedRun, equipRun, readMcpInputs } from '../run/equipRun.js';
import { createRunStore } from '../run/runFolder.js';
import { loadSchemaCompiler } from '../schema/loadSchemaCompiler.js';
import type { CallOverrides } from '../snapshot/types.js';
import { createEnvironmentInputs, type ResolveInput } from '../tools/mcp/resolveServer.js';
import type { TrustedTools } from '../tools/openTools.js';
import { createToolRegistry } from '../tools/registry.js';
import type { ApproveTool, Tool } from '../tools/types.js';
import { createNodePorts } from './nodePorts.js';
import type { ProjectOrchestrateRequest, ProjectResumeOptions, ProjectRuntime } from './projectRuns.js';
import { createRecordFile, endRecord, readRecordFile } from './recordFiles.js';
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
  /** Watches runs. Default: OpenTelemetry, where the environment says where to send it (`OTEL_EXPORTER_OTLP_ENDPOINT`). */
  readonly observer?: RunObserver;
}

export interface ProjectRunRequest {
  readonly agent_name: string;
  /** Default: the newest by natural order. */
  readonly version?: string;
  /** The input; what it must hold is said by the agent's `input_keys` and `input_schema`. */
  readonly payload: unknown;
  /** The highest layer: agent fields, and an llm profile in place of the agent's own. */
  readonly overrides?: CallOverrides;
  /** Whose run this is and what it belongs to. `session_id`: agents with `include_history` go on with that conversation. `budget`: limits of this run alone. */
  readonly context?: Partial<RunContext>;
  readonly signal?: AbortSignal;
  /** `folder` (default): `.agentstack/runs/{run_id}`. `none`: nothing is written, and a session is only read. */
  readonly keep?: 'folder' | 'none';
  /** Keeps each model and tool call too (in `.agentstack/journal`), so that `resume` goes on where the process ended. Default false; not with `keep: 'none'`. */
  readonly durable?: boolean;
  /** `stream` (default) yields text as it comes; `call` asks for the whole answer at once. */
  readonly delivery?: 'stream' | 'call';
  /** Asked before each call of a tool that needs approval, as all of MCP servers do. Default: such a call ends the run with `denied`. */
  readonly approve?: ApproveTool;
  /** File that every model and tool exchange is written to, without secrets. From the working directory; replaced when it is there. */
  readonly record?: string;
  /** Such a file, which answers in place of models, tools, servers and sessions. Needs no key and no network. */
  readonly replay?: string;
}

/** A project folder with everything assembled. Holds no state of its own: each call reads the files as they are then. */
export interface Project {
  readonly ports: Ports;
  readonly factory: AgentFactory;
  index(): Promise<ProjectIndex>;
  check(options?: { readonly paths?: readonly string[]; readonly signal?: AbortSignal }): Promise<CheckReport>;
  /** Runs an agent; ends with exactly one `final` event. Leaving the loop early cancels the run. */
  run(request: ProjectRunRequest): AsyncGenerator<AgentEvent, void, undefined>;
  /** The same for its result alone. */
  invoke(request: ProjectRunRequest): Promise<RunResult>;
  /** Runs an orchestration; ends with exactly one `final` event. Leaving the loop early cancels the run. Its steps are kept, so it can be resumed. */
  orchestrate(request: ProjectOrchestrateRequest): AsyncGenerator<AgentEvent, void, undefined>;
  /**
   * Goes on with a run whose process ended, or that was cancelled: what was finished is taken from the journal and not done again. Reads its folder
   * and the journals it names, no config.
   * @throws ResumeError, StorageError from the first event on, where it cannot go on; nothing has changed then
   */
  resume(run_id: string, options?: ProjectResumeOptions): AsyncGenerator<AgentEvent, void, undefined>;
  /** Sends what watchers of runs hold back, in bounded time. Call it before the program ends. */
  flush(): Promise<void>;
}

/** Opens the project in a folder (the one that holds `agentstack.json` or `config/agents`). Reads nothing yet. */
export function openProject(directory: string, options: OpenProjectOptions = {}): Project {
  const { environment_name, ports: replaced = {}, providers = [], tools = [], trustedTools } = options;
  const ports = createNodePorts(resolve(directory), replaced);
  const factory = createAgentFactory({ ports, ...(environment_name !== undefined && { environment_name }) });
  const observer = options.observer ?? createTelemetry(ports.environment, ports);
  const registry = createToolRegistry(tools);
  let checked: Promise<void> | undefined;
  const checkTools = async () => registry.check(await loadSchemaCompiler());
  const ready = (): Promise<void> => {
    checked ??= tools.length > 0 ? checkTools() : Promise.resolve();
    return checked;
  };
  const shared = {
    ports,
    providers,
    tools: registry.tools,
    resolveInput: options.resolveInput ?? createEnvironmentInputs(ports),
    trusted: trustedTools,
  };
  // Loaded with the first run that outlives its process; one journal for all of them.
  let keeping: Promise<RunKeeping> | undefined;
  const keep = (): Promise<RunKeeping> => {
    keeping ??= import('./runKeeping.js').then(({ createRunKeeping }) => createRunKeeping(resolve(directory), ports));
    return keeping;
  };
  const runtime = async (): Promise<ProjectRuntime> => {
    await ready();
    return { ...shared, environment_name, observer, keeping: await keep() };
  };

  async function* run({
    version,
    keep: kept = 'folder',
    durable = false,
    approve,
    record,
    replay,
    ...request
  }: ProjectRunRequest): AsyncGenerator<AgentEvent, void, undefined> {
    await ready();
    let equipped: EquippedRun | undefined;
    let inputs: readonly McpInput[] | undefined;
    const readInputs = async () => {
      inputs ??= await readMcpInputs(ports.files);
      return inputs;
    };
    const outliving = durable && kept === 'folder' ? await newDurableRun(await keep(), () => inputs ?? []) : undefined;
    const events = startRun(factory, ports, {
      ...request,
      providers,
      version: version ?? (await newestVersion(ports, request.agent_name)),
      ...(kept !== 'none' && { store: outliving?.agentStore ?? createRunStore(ports.files, ports.knownSecrets) }),
      ...(observer && { observer }),
      async equip(agent) {
        const common = { ...shared, approve, inputs: readInputs };
        const isOfMany = agent.agents !== undefined && (record !== undefined || replay !== undefined);
        equipped = await (isOfMany ? equipRecordedPlan : equipRun)(agent, {
          ...common,
          session_id: request.context?.session_id,
          keep: kept,
          record: record === undefined ? undefined : () => createRecordFile(record),
          replay: replay === undefined ? undefined : readRecordFile(replay),
        });
        return {
          ...(agent.agents && { equip: equipAgents(common) }),
          ...equipped.equipment,
          ...(outliving && { steps: outliving.steps }),
        };
      },
    });
    try {
      for await (const event of events) yield event.final ? await endRecord(event, equipped) : event;
    } finally {
      outliving?.release();
    }
  }

  async function* orchestrate(request: ProjectOrchestrateRequest): AsyncGenerator<AgentEvent, void, undefined> {
    const { orchestrate } = await import('./projectRuns.js');
    yield* orchestrate(await runtime(), request);
  }

  async function* resume(run_id: string, options?: ProjectResumeOptions): AsyncGenerator<AgentEvent, void, undefined> {
    const { resume } = await import('./projectRuns.js');
    yield* resume(await runtime(), run_id, options);
  }

  return Object.freeze<Project>({
    ports,
    factory,
    index: () => loadProjectIndex(ports.files),
    check: (options = {}) => checkProject({ files: ports.files, variables: ports.environment, clock: ports.clock, ...options }),
    run,
    invoke: (request) => resultOf(run(request)),
    orchestrate,
    resume,
    flush: async () => observer?.flush?.(),
  });
}

/** Of an agent without versions the empty string: loading it then says what there is. */
async function newestVersion({ files }: Ports, agentName: string): Promise<string> {
  return (await loadProjectIndex(files)).versions(agentName).at(-1) ?? 'v1';
}

async function newDurableRun(keeping: RunKeeping, mcp_inputs: () => readonly McpInput[]): Promise<DurableRun> {
  const { createDurableRun } = await import('../run/durableRun.js');
  return createDurableRun(keeping, { mcp_inputs });
}
