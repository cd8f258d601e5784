import type { ConfigFile } from '../config/configFile.js';
import { placeFindings } from '../config/placeFindings.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { SchemaCompiler } from '../config/schemaCompiler.js';
import type { Finding, PlacedFinding } from '../finding.js';
import { isObject } from '../json.js';
import { createModelTable, type ModelFacts, type ModelPrice } from '../llm/modelTable.js';
import type { Ports } from '../ports.js';
import { type AgentPrompt, createAgentPrompt } from '../prompt/agentPrompt.js';
import { checkFile } from '../rules/checkFile.js';
import type { RuleCode } from '../rules/codes.js';
import { createRuleContext } from '../rules/ruleContext.js';
import { createSnapshot, type Snapshot } from '../snapshot/createSnapshot.js';
import { type CallOverrides, type ResolvedAgent, resolveAgent } from '../snapshot/resolveAgent.js';

export interface AgentDraftRequest {
  readonly agent_name: string;
  readonly version: string;
  readonly file: ConfigFile;
  readonly project: ProjectIndex;
  readonly schemas: SchemaCompiler;
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  readonly environment_name?: string | undefined;
  readonly overrides?: CallOverrides | undefined;
}

/** What an agent file makes as it stands, errors and all; each part is worked out when it is first asked for. */
export interface AgentDraft {
  readonly resolved: ResolvedAgent;
  readonly prompt: AgentPrompt;
  /** Facts about the model it calls; undefined when nobody knows it. */
  readonly model: ModelFacts | undefined;
  /** The profile's price, else the model's; undefined when nobody knows it. */
  readonly price: ModelPrice | undefined;
  /** Undefined while the config holds what looks like a secret, which must not be written down. */
  readonly snapshot: Snapshot | undefined;
}

const syntaxCodes: readonly RuleCode[] = ['json-syntax', 'json-comment', 'trailing-comma', 'duplicate-key'];

/** Undefined while the text of the file is no JSON object: nothing else is known then. */
export function draftAgent({ file, ...request }: AgentDraftRequest): AgentDraft | undefined {
  if (!isObject(file.value)) return undefined;
  const { agent_name, version, project, ports, environment_name, overrides, schemas } = request;
  const resolved = resolveAgent({
    agent_name,
    version,
    file: { path: file.path, value: file.value },
    project,
    variables: ports.environment,
    ...(environment_name !== undefined && { environment_name }),
    ...(overrides && { overrides }),
  });
  return new Draft(resolved, request, schemas);
}

class Draft implements AgentDraft {
  readonly resolved: ResolvedAgent;
  readonly #request: Omit<AgentDraftRequest, 'file'>;
  readonly #schemas: SchemaCompiler;
  #prompt: AgentPrompt | undefined;
  #snapshot: Snapshot | undefined;

  constructor(resolved: ResolvedAgent, request: Omit<AgentDraftRequest, 'file'>, schemas: SchemaCompiler) {
    this.resolved = resolved;
    this.#request = request;
    this.#schemas = schemas;
  }

  get prompt(): AgentPrompt {
    const { config, llm, origins, tools } = this.resolved;
    this.#prompt ??= createAgentPrompt({ config, llm, origins, tools, schemas: this.#schemas });
    return this.#prompt;
  }

  get model(): ModelFacts | undefined {
    const { config, llm } = this.resolved;
    return createModelTable(this.#request.project.settings.models).find(config.model_name ?? '', llm.provider);
  }

  get price(): ModelPrice | undefined {
    return this.resolved.llm.price ?? this.model?.price;
  }

  get snapshot(): Snapshot | undefined {
    if (this.resolved.problems.some(({ code }) => code === 'secret-in-plain-text')) return undefined;
    this.#snapshot ??= createSnapshot({ kind: 'agent', resolved: this.resolved, sha256: this.#request.ports.sha256 });
    return this.#snapshot;
  }
}

/**
 * Every error that stops a run: those of the agent's own file and those of the files it is layered on, each with its place. Of a file whose
 * text is broken only that is told, since nothing else is known for sure.
 *
 * @param draft what `draftAgent` made of the same request
 */
export async function findAgentErrors(
  { file, project, schemas, ports }: Pick<AgentDraftRequest, 'file' | 'project' | 'schemas' | 'ports'>,
  draft: Pick<AgentDraft, 'resolved'> | undefined,
): Promise<PlacedFinding[]> {
  const models = createModelTable(project.settings.models);
  const context = createRuleContext({ project, models, variables: ports.environment, schemas });
  const resolved = file.syntax.length > 0 ? undefined : draft?.resolved;
  // The rules judge what will run: this call's overrides and environment included.
  // The caller names this file as an agent, so it is judged as one even when it looks like something else.
  const found = await checkFile({ ...file, foreign: false }, resolved ? { ...context, effective: () => resolved } : context);
  const errors: Finding[] = found.filter(({ severity }) => severity === 'error');
  for (const { code, message, file: at, pointer, data } of resolved?.problems ?? []) {
    const place = at ?? file.path;
    if (errors.some((finding) => finding.code === code && finding.file === place && (at === null || finding.pointer === pointer))) continue;
    errors.push({ code, severity: 'error', message, file: place, pointer: at === null ? '' : pointer, ...(data && { data }) });
  }
  const placed: PlacedFinding[] = [];
  for (const path of new Set(errors.map((finding) => finding.file))) {
    const text = path === file.path ? file.text : await ports.files.readText(path);
    placed.push(
      ...placeFindings(
        text,
        errors.filter((finding) => finding.file === path),
      ),
    );
  }
  return file.syntax.length > 0 ? placed.filter(({ code }) => syntaxCodes.includes(code)) : placed;
}
