import { resolve } from 'node:path';
import { type AgentFactory, createAgentFactory } from '../agent/agentFactory.js';
import type { AgentEvent, RunContext } from '../agent/events.js';
import { startRun } from '../agent/startRun.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import type { Ports } from '../ports.js';
import { type CheckReport, checkProject } from '../rules/checkProject.js';
import { createRunStore } from '../run/runFolder.js';
import type { CallOverrides } from '../snapshot/resolveAgent.js';
import { createNodePorts } from './nodePorts.js';

export interface OpenProjectOptions {
  /** Which `environments/{name}.json` applies. Default: that of `agentstack.json`, else `dev`. */
  readonly environment_name?: string;
  /** Replaces single ports, e.g. `secrets` of your own vault. */
  readonly ports?: Partial<Ports>;
  /** Providers beside the built-in ones, such as your own gateway's; tried first. */
  readonly providers?: readonly LlmProvider[];
}

export interface ProjectRunRequest {
  readonly agent_name: string;
  /** Default: the newest by natural order. */
  readonly version?: string;
  readonly payload: unknown;
  readonly overrides?: CallOverrides;
  readonly context?: Partial<RunContext>;
  readonly signal?: AbortSignal;
  /** `folder` (default): `.agentstack/runs/{run_id}`. `none`: nothing is written. */
  readonly keep?: 'folder' | 'none';
  readonly delivery?: 'stream' | 'call';
}

/** A project folder with everything assembled. Holds no state of its own: each call reads the files as they are then. */
export interface Project {
  readonly ports: Ports;
  readonly factory: AgentFactory;
  index(): Promise<ProjectIndex>;
  check(options?: { readonly paths?: readonly string[]; readonly signal?: AbortSignal }): Promise<CheckReport>;
  /** Runs an agent; ends with exactly one `final` event. */
  run(request: ProjectRunRequest): AsyncGenerator<AgentEvent, void, undefined>;
}

/** Opens the project in a folder (the one that holds `agentstack.json` or `config/agents`). Reads nothing yet. */
export function openProject(
  directory: string,
  { environment_name, ports: replaced = {}, providers = [] }: OpenProjectOptions = {},
): Project {
  const ports = createNodePorts(resolve(directory), replaced);
  const factory = createAgentFactory({ ports, ...(environment_name !== undefined && { environment_name }) });
  return Object.freeze<Project>({
    ports,
    factory,
    index: () => loadProjectIndex(ports.files),
    check: (options = {}) => checkProject({ files: ports.files, variables: ports.environment, clock: ports.clock, ...options }),
    async *run({ version, keep, ...request }) {
      yield* startRun(factory, ports, {
        ...request,
        providers,
        version: version ?? (await newestVersion(ports, request.agent_name)),
        ...(keep !== 'none' && { store: createRunStore(ports.files) }),
      });
    },
  });
}

/** Of an agent without versions the empty string: loading it then says what there is. */
async function newestVersion({ files }: Ports, agentName: string): Promise<string> {
  return (await loadProjectIndex(files)).versions(agentName).at(-1) ?? '';
}
