import { type AgentDraftRequest, readCalled, sourcesOf } from '../agent/load/agentDraft.js';
import { findErrors, type JudgedFile } from '../agent/load/findErrors.js';
import type { ConfigFile } from '../config/configFile.js';
import { readConfigFile } from '../config/parseConfigFile.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { PlacedFinding } from '../finding.js';
import { isObject, type JsonObject } from '../json.js';
import type { Ports } from '../ports.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import { createSnapshot, holdsSecret, type Snapshot } from '../snapshot/createSnapshot.js';
import type { LayerProblem } from '../snapshot/effective.js';
import { type ResolvedOrchestration, resolveOrchestration } from '../snapshot/resolveOrchestration.js';
import type { AgentSource, ResolvedAgent } from '../snapshot/types.js';

/** `file` is the orchestration's own; `agents` are the files of its agents (`readOrchestrationAgents`). */
export type OrchestrationDraftRequest = Omit<AgentDraftRequest, 'agent_name' | 'version'>;

/** The result of an orchestration file, even one with errors. */
export interface OrchestrationDraft {
  readonly resolved: ResolvedOrchestration;
  /** Undefined while the config contains something like a secret, which must not be stored, and where `agents` lacks one. */
  readonly snapshot: Snapshot | undefined;
}

/** Undefined while the text of the file is not a JSON object, since nothing else is known then. */
export function draftOrchestration(request: OrchestrationDraftRequest): OrchestrationDraft | undefined {
  const { value } = request.file;
  if (!isObject(value)) return undefined;
  const resolved = resolveDraft(request, value, sourcesOf(request.agents ?? new Map()));
  let snapshot: Snapshot | undefined;
  return {
    resolved,
    get snapshot() {
      if (resolved.unread.length > 0 || holdsSecret(resolved)) return undefined;
      snapshot ??= createSnapshot({ kind: 'orchestration', resolved, sha256: request.ports.sha256 });
      return snapshot;
    },
  };
}

/** Reads the files of the agents that tasks name and that plans call. */
export async function readOrchestrationAgents(request: OrchestrationDraftRequest): Promise<ReadonlyMap<string, ConfigFile>> {
  const { value } = request.file;
  if (!isObject(value)) return new Map();
  return readCalled(request.ports.files, (agents) => resolveDraft(request, value, agents));
}

function resolveDraft(
  { file, project, ports, environment_name, overrides }: OrchestrationDraftRequest,
  value: JsonObject,
  agents: ReadonlyMap<string, AgentSource>,
): ResolvedOrchestration {
  return resolveOrchestration({
    file: { path: file.path, value },
    project,
    agents,
    variables: ports.environment,
    ...(environment_name !== undefined && { environment_name }),
    ...(overrides && { overrides }),
  });
}

/**
 * Every error that stops a run: those of the orchestration's own file, of its agents and personas, and of the files these are layered on. Where
 * the text of an orchestration or agent file is broken, only that is reported, since nothing else is certain.
 *
 * @param draft what `draftOrchestration` made of the same request
 * @param read files that were read already, by path
 */
export async function findOrchestrationErrors(
  { file, project, schemas, ports, agents = new Map() }: OrchestrationDraftRequest,
  draft: Pick<OrchestrationDraft, 'resolved'> | undefined,
  read: ReadonlyMap<string, ConfigFile> = new Map(),
): Promise<PlacedFinding[]> {
  const resolved = draft?.resolved;
  const used = [...(resolved?.agents.values() ?? [])];
  const ofAgents = [...agents.values()].map((called): JudgedFile => ({ file: called, effective: findEffective(called, used, file.path) }));
  const personas = await readPersonas(resolved, project, { ports, read });
  return findErrors({
    project,
    schemas,
    ports,
    agents,
    judged: [{ file }, ...ofAgents, ...personas],
    problems: [
      ...(resolved?.problems ?? []),
      ...used.flatMap((agent) => (agent.files.includes(file.path) ? schemaProblems(agent, schemas) : [])),
    ],
  });
}

/** The effective agent of a file: unchanged if a task or plan uses it so, else as the first task configures it. */
function findEffective({ identity, path }: ConfigFile, used: readonly ResolvedAgent[], orchestration: string): ResolvedAgent | undefined {
  const drafts = used.filter(({ config, files }) => `${config.agent_name}@${config.version}` === identity.id && files.includes(path));
  return drafts.find(({ files }) => !files.includes(orchestration)) ?? drafts[0];
}

/** The personas used as tasks, which have no agent file. */
async function readPersonas(
  resolved: ResolvedOrchestration | undefined,
  project: ProjectIndex,
  { ports, read }: { readonly ports: Pick<Ports, 'files'>; readonly read: ReadonlyMap<string, ConfigFile> },
): Promise<readonly JudgedFile[]> {
  const teams = Object.values(resolved?.frozen.teams ?? {});
  const keys = new Set(teams.flatMap(({ tasks }) => tasks.flatMap(({ persona_key }) => (persona_key === undefined ? [] : [persona_key]))));
  const judgedFiles: JudgedFile[] = [];
  for (const key of keys) {
    const path = project.ids('persona').get(key);
    if (path === undefined) continue;
    judgedFiles.push({ file: read.get(path) ?? (await readConfigFile(ports.files, path, { kind: 'persona', name: key, id: key })) });
  }
  return judgedFiles;
}

/** Schemas in the `config` of a task, which no rule about agent files sees. */
function schemaProblems({ config, origins }: ResolvedAgent, schemas: SchemaCompiler): readonly LayerProblem[] {
  return (['output_schema', 'input_schema'] as const).flatMap((field) => {
    const schema = config[field];
    const place = [...origins].find(([pointer, { layer }]) => layer === 'task' && pointer.startsWith(`/${field}`));
    if (schema === undefined || place === undefined) return [];
    const compiled = schemas.compile(schema);
    if (compiled.ok) return [];
    const [leaf, { file, pointer }] = place;
    const root = pointer.slice(0, pointer.length - (leaf.length - field.length - 1));
    return compiled.problems.map(
      (problem): LayerProblem => ({
        code: 'schema',
        message: `The ${field} cannot be used: ${problem.pointer === '' ? '' : `${problem.pointer} `}${problem.message}.`,
        file,
        pointer: root + problem.pointer,
      }),
    );
  });
}
