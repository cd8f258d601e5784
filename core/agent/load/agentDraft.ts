import type { AgentTarget } from '../../config/agentReference.js';
import type { ConfigFile } from '../../config/configFile.js';
import { readConfigFile } from '../../config/parseConfigFile.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import type { PlacedFinding } from '../../finding.js';
import { isObject, type JsonObject } from '../../json.js';
import { createModelTable, type ModelFacts, type ModelPrice } from '../../llm/modelTable.js';
import { priceOf } from '../../llm/price.js';
import type { FileSystem, Ports } from '../../ports.js';
import { type AgentPrompt, createAgentPrompt } from '../../prompt/agentPrompt.js';
import type { SchemaCompiler } from '../../schema/schemaCompiler.js';
import { type CalledAgents, resolveCalled } from '../../snapshot/calledAgents.js';
import { createSnapshot, holdsSecret, type Snapshot } from '../../snapshot/createSnapshot.js';
import { resolveAgent } from '../../snapshot/resolveAgent.js';
import type { AgentSource, CallOverrides, ResolvedAgent } from '../../snapshot/types.js';
import { findErrors } from './findErrors.js';

export interface AgentDraftRequest {
  readonly agent_name: string;
  readonly version: string;
  readonly file: ConfigFile;
  readonly project: ProjectIndex;
  readonly schemas: SchemaCompiler;
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  readonly environment_name?: string | undefined;
  readonly overrides?: CallOverrides | undefined;
  /** The files of the agents that plans call, by `name@version` (`readCalledAgents`). Default: none. */
  readonly agents?: ReadonlyMap<string, ConfigFile>;
}

/** The result of an agent file, even one with errors; each part is computed on first use. */
export interface AgentDraft {
  readonly resolved: ResolvedAgent;
  /** The agents that its plan calls, and those that theirs call, by `name@version`. */
  readonly called: ReadonlyMap<string, ResolvedAgent>;
  readonly prompt: AgentPrompt;
  /** Facts about the model it calls; undefined when they are not known. */
  readonly model: ModelFacts | undefined;
  /** The profile's price, else the model's; undefined when neither is known. */
  readonly price: ModelPrice | undefined;
  /** Undefined while the config contains something like a secret, which must not be stored, and if `agents` lacks a called one. */
  readonly snapshot: Snapshot | undefined;
}

/** Undefined while the text of the file is not a JSON object, since nothing else is known then. */
export function draftAgent(request: AgentDraftRequest): AgentDraft | undefined {
  const { value } = request.file;
  return isObject(value) ? new Draft(resolveDraft(request, value, sourcesOf(request.agents ?? new Map())), request) : undefined;
}

/** Reads the files of the agents that an agent's plan calls, and of those that theirs call. */
export async function readCalledAgents(request: AgentDraftRequest): Promise<ReadonlyMap<string, ConfigFile>> {
  const { value } = request.file;
  if (!isObject(value)) return new Map();
  return readCalled(request.ports.files, (agents) => resolveDraft(request, value, agents));
}

interface Resolved extends CalledAgents {
  readonly resolved: ResolvedAgent;
}

function resolveDraft(
  { agent_name, version, file, project, ports, environment_name, overrides }: AgentDraftRequest,
  value: JsonObject,
  agents: ReadonlyMap<string, AgentSource>,
): Resolved {
  const shared = {
    project,
    variables: ports.environment,
    ...(environment_name !== undefined && { environment_name }),
    ...(overrides && { overrides }),
  };
  const resolved = resolveAgent({ ...shared, agent_name, version, file: { path: file.path, value } });
  return { resolved, ...resolveCalled([resolved], { ...shared, agents }) };
}

class Draft implements AgentDraft {
  readonly resolved: ResolvedAgent;
  readonly called: ReadonlyMap<string, ResolvedAgent>;
  readonly #isWhole: boolean;
  readonly #request: AgentDraftRequest;
  #prompt: AgentPrompt | undefined;
  #snapshot: Snapshot | undefined;

  constructor({ resolved, called, unread }: Resolved, request: AgentDraftRequest) {
    this.resolved = resolved;
    this.called = called;
    this.#isWhole = unread.length === 0;
    this.#request = request;
  }

  get prompt(): AgentPrompt {
    const { config, llm, origins, tools } = this.resolved;
    this.#prompt ??= createAgentPrompt({ config, llm, origins, tools, schemas: this.#request.schemas });
    return this.#prompt;
  }

  get model(): ModelFacts | undefined {
    const { config, llm } = this.resolved;
    return createModelTable(this.#request.project.settings.models).find(config.model_name ?? '', llm.provider);
  }

  get price(): ModelPrice | undefined {
    return priceOf(this.resolved.llm, this.model, this.resolved.config.model_name ?? '');
  }

  get snapshot(): Snapshot | undefined {
    const { resolved, called } = this;
    const all = [resolved, ...called.values()];
    if (!this.#isWhole || all.some(holdsSecret)) return undefined;
    this.#snapshot ??= createSnapshot({ kind: 'agent', resolved, called, sha256: this.#request.ports.sha256 });
    return this.#snapshot;
  }
}

/**
 * Every error that stops a run: of the agent's file, of the files of agents that its plan calls, and of all their layers. If the text of an agent
 * file is broken, only that is reported, since nothing else is certain.
 *
 * @param draft the result of `draftAgent` for the same request
 */
export async function findAgentErrors(
  { file, project, schemas, ports, agents = new Map() }: Pick<AgentDraftRequest, 'file' | 'project' | 'schemas' | 'ports' | 'agents'>,
  draft: Pick<AgentDraft, 'resolved' | 'called'> | undefined,
): Promise<PlacedFinding[]> {
  const called = [...agents].map(([id, calledFile]) => ({ file: calledFile, effective: draft?.called.get(id) }));
  return findErrors({
    project,
    schemas,
    ports,
    agents,
    // An agent that calls itself is checked once.
    judged: [
      { file, effective: file.syntax.length > 0 ? undefined : draft?.resolved },
      ...called.filter((other) => other.file.path !== file.path),
    ],
    problems: draft === undefined ? [] : [draft.resolved, ...draft.called.values()].flatMap(({ problems }) => problems),
  });
}

/**
 * Reads agent files until no called agent is missing: the agents that a plan calls are known only after its layers have been merged.
 * @returns every file read, by `name@version`
 */
export async function readCalled(
  files: Pick<FileSystem, 'readText'>,
  resolve: (agents: ReadonlyMap<string, AgentSource>) => { readonly unread: readonly AgentTarget[] },
): Promise<ReadonlyMap<string, ConfigFile>> {
  const read = new Map<string, ConfigFile>();
  let { unread } = resolve(sourcesOf(read));
  while (unread.length > 0) {
    for (const { id, name, version, path } of unread) read.set(id, await readConfigFile(files, path, { kind: 'agent', name, version, id }));
    ({ unread } = resolve(sourcesOf(read)));
  }
  return read;
}

/** Agent files for resolving. One that is not a JSON object counts as empty, and has a finding for that. */
export function sourcesOf(files: ReadonlyMap<string, ConfigFile>): ReadonlyMap<string, AgentSource> {
  return new Map([...files].map(([id, { path, value }]) => [id, { path, value: isObject(value) ? value : {} }]));
}
