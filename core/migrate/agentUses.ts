import { splitAgentReference } from '../config/agentReference.js';
import type { ConfigFile } from '../config/configFile.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { isObject, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { isFree } from '../llm/price.js';
import type { Environment, FileSystem } from '../ports.js';
import { resolveCalled } from '../snapshot/calledAgents.js';
import { environmentNames } from '../snapshot/checkEnvironment.js';
import { callsModel, type Origin } from '../snapshot/effective.js';
import { readSources } from '../snapshot/readSources.js';
import { resolveAgent } from '../snapshot/resolveAgent.js';
import { resolveOrchestration } from '../snapshot/resolveOrchestration.js';
import type { ResolvedAgent } from '../snapshot/types.js';

/** An agent that calls a model, in one environment, with all its layers. */
export interface AgentUse {
  /** `Reviewer@v1`; of a task with its own settings `Review: triage/labels`. */
  readonly subject: string;
  /** Name and version of its file; undefined for a task. */
  readonly agent: { readonly name: string; readonly version: string } | undefined;
  /** Project path of the agent or of the orchestration. */
  readonly file: string;
  readonly environment: string;
  readonly resolved: ResolvedAgent;
  /** The agents that its plan calls. */
  readonly called: ReadonlyMap<string, ResolvedAgent>;
  readonly model: string;
  readonly provider: string;
  /** Where the model is written. */
  readonly origin: Origin;
}

export interface ProjectUses {
  readonly uses: readonly AgentUse[];
  /** By name of an orchestration: the files of the agents that it calls, in any of the environments. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  /** The values of payload files, by `agent/case`. */
  readonly payloads: ReadonlyMap<string, JsonObject>;
  /** Files that are broken or cannot be read, of those that may name a model or decide how one is replaced. */
  readonly unread: readonly string[];
}

/** The agents and tasks of a project that name a model, in each of these environments. The index learns who refers to whom. */
export async function readUses(
  files: FileSystem,
  index: LoadedIndex,
  variables: Environment,
  environments: readonly string[],
): Promise<ProjectUses> {
  const isBroken = ({ identity: { kind }, value }: ConfigFile) => layerKinds.has(kind) && !isObject(value);
  const unread = [...index.read.values()].filter(isBroken).map(({ path }) => path);
  for (const { path, identity } of index.files()) if (layerKinds.has(identity.kind) && !index.read.has(path)) unread.push(path);
  const readAll = async (kind: 'agent' | 'orchestration' | 'payload') => {
    const { sources, unread: missing } = await readSources(files, index, kind);
    unread.push(...missing);
    return sources;
  };
  const agents = await readAll('agent');
  const orchestrations = await readAll('orchestration');
  const payloads = await readAll('payload');
  const members = new Map<string, Set<string>>();
  const uses = environments.flatMap((environment) => {
    const together = { project: index, variables, agents, environment_name: environment };
    const own = [...agents].flatMap(([id, file]) => {
      const { name, version = '' } = splitAgentReference(id);
      const resolved = resolveAgent({ ...together, agent_name: name, version, file });
      const { called } = resolveCalled([resolved], together);
      return useOf({ subject: id, agent: { name, version }, file: file.path, environment, resolved, called });
    });
    const tasks = [...orchestrations.values()].flatMap((file) => {
      const { name, agents: instances } = resolveOrchestration({ ...together, file });
      const ofTasks = [...instances].filter(([, { layers }]) => layers.some(({ layer }) => layer === 'task'));
      const agentFiles = [...instances.values()].flatMap(({ layers }) => layers.find(({ layer }) => layer === 'agent')?.file ?? []);
      members.set(name, new Set([...(members.get(name) ?? []), ...agentFiles]));
      return ofTasks.flatMap(([instance, resolved]) =>
        useOf({ subject: `${name}: ${instance}`, agent: undefined, file: file.path, environment, resolved, called: instances }),
      );
    });
    return [...own, ...tasks];
  });
  return { uses, members, payloads: new Map([...payloads].map(([id, { value }]) => [id, value])), unread };
}

const layerKinds: ReadonlySet<Kind> = new Set(['llm', 'persona', 'system']);

/** The environments of a project, its own first. */
export function environmentsOf(index: LoadedIndex): readonly string[] {
  const { environment } = index.settings;
  return [environment, ...environmentNames(index).filter((name) => name !== environment)];
}

function useOf(use: Omit<AgentUse, 'model' | 'provider' | 'origin'>): readonly AgentUse[] {
  const { config, llm, sources } = use.resolved;
  if (config.model_name === undefined || sources === undefined || !callsModel(config) || isFree(llm)) return [];
  return [{ ...use, model: config.model_name, provider: llm.provider, origin: sources.config.originAt(['model_name']) }];
}
