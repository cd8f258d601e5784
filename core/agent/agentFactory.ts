import type { ConfigFile } from '../config/configFile.js';
import { namePattern } from '../config/kinds.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import { loadSchemaCompiler } from '../config/loadSchemaCompiler.js';
import { parseConfigFile } from '../config/parseConfigFile.js';
import { identifyFile, pathOf } from '../config/paths.js';
import { placeFindings } from '../config/placeFindings.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import type { SchemaCompiler } from '../config/schemaCompiler.js';
import { ConfigInvalidError, ConfigSyntaxError, InputInvalidError, UnknownAgentConfigError } from '../errors.js';
import type { Finding, PlacedFinding } from '../finding.js';
import { isObject, type JsonObject } from '../json.js';
import type { ModelFacts, ModelPrice, ModelTable } from '../llm/modelTable.js';
import { createModelTable } from '../llm/modelTable.js';
import { didYouMean, nearestNames } from '../names.js';
import { FileProblem, type Ports } from '../ports.js';
import { type AgentPrompt, createAgentPrompt } from '../prompt/agentPrompt.js';
import { checkFile } from '../rules/checkFile.js';
import type { RuleCode } from '../rules/codes.js';
import { createRuleContext } from '../rules/ruleContext.js';
import { createSnapshot, type Snapshot } from '../snapshot/createSnapshot.js';
import { type CallOverrides, type ResolvedAgent, resolveAgent } from '../snapshot/resolveAgent.js';

/** One agent, ready to run: its frozen effective config, the prompt made from it, and the snapshot that names both. */
export interface Agent {
  readonly prompt: AgentPrompt;
  readonly resolved: ResolvedAgent;
  readonly snapshot: Snapshot;
  /** Facts about the model it calls; undefined when nobody knows it. */
  readonly model: ModelFacts | undefined;
  /** The profile's price, else the model's; undefined when nobody knows it. */
  readonly price: ModelPrice | undefined;
}

export interface AgentFactory {
  /**
   * The prompt of an agent, checked with its input: path, parse, required keys, identity, rules, payload, construct. The
   * first stage that fails reports all its findings.
   * @throws UnknownAgentConfigError, ConfigSyntaxError, ConfigInvalidError, InputInvalidError
   */
  create(agentName: string, version: string, inputPayload: JsonObject, overrides?: CallOverrides): Promise<AgentPrompt>;
  /** The same without the payload: an agent that can run many payloads. @throws as `create`, but InputInvalidError */
  load(agentName: string, version: string, overrides?: CallOverrides): Promise<Agent>;
}

export interface AgentFactoryOptions {
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  /** Which `environments/{name}.json` applies. Default: the project's. */
  readonly environment_name?: string;
}

const syntaxCodes: readonly RuleCode[] = ['json-syntax', 'json-comment', 'trailing-comma', 'duplicate-key'];

/** Stages after parsing, in order; a code in none of them belongs to the last. */
const stages: readonly { readonly name: string; readonly codes: readonly RuleCode[] }[] = [
  { name: 'required keys', codes: ['schema', 'effective-config-incomplete'] },
  { name: 'identity', codes: ['name-matches-path', 'version-matches-path', 'duplicate-identity'] },
  { name: 'rules', codes: [] },
];

/** Stateless: each call depends on its arguments and the files as they are at that moment. */
export function createAgentFactory({ ports, environment_name }: AgentFactoryOptions): AgentFactory {
  async function load(agentName: string, version: string, overrides?: CallOverrides): Promise<Agent> {
    const [project, schemas] = await Promise.all([loadProjectIndex(ports.files), loadSchemaCompiler()]);
    const file = await readAgentFile(ports.files, project, agentName, version);
    if (file.syntax.length > 0 || !isObject(file.value)) {
      const found = await findingsOf(file, project, schemas, undefined);
      // Of a file whose text is broken nothing else is known for sure.
      const findings = file.syntax.length > 0 ? found.filter(({ code }) => syntaxCodes.includes(code)) : found;
      throw new ConfigSyntaxError(summary(file.path, 'is not valid JSON', findings), findings);
    }
    const resolved = resolveAgent({
      agent_name: agentName,
      version,
      file: { path: file.path, value: file.value },
      project,
      variables: ports.environment,
      ...(environment_name !== undefined && { environment_name }),
      ...(overrides && { overrides }),
    });
    const models = createModelTable(project.settings.models);
    const findings = await findingsOf(file, project, schemas, resolved, models);
    throwFirstStage(file.path, findings);

    const prompt = createAgentPrompt({ config: resolved.config, llm: resolved.llm, origins: resolved.origins, schemas });
    const model = models.find(resolved.config.model_name ?? '', resolved.llm.provider);
    return Object.freeze({
      prompt,
      resolved,
      snapshot: createSnapshot({ kind: 'agent', resolved, sha256: ports.sha256 }),
      model,
      price: resolved.llm.price ?? model?.price,
    });
  }

  async function findingsOf(
    file: ConfigFile,
    project: ProjectIndex,
    schemas: SchemaCompiler,
    resolved: ResolvedAgent | undefined,
    models: ModelTable = createModelTable(project.settings.models),
  ): Promise<PlacedFinding[]> {
    const context = createRuleContext({ project, models, variables: ports.environment, schemas });
    // The rules judge what will run: this call's overrides and environment included.
    // The caller names this file as an agent, so it is judged as one even when it looks like something else.
    const found = await checkFile({ ...file, foreign: false }, resolved ? { ...context, effective: () => resolved } : context);
    const errors: Finding[] = found.filter(({ severity }) => severity === 'error');
    for (const { code, message, file: at, pointer, data } of resolved?.problems ?? []) {
      const place = at ?? file.path;
      if (errors.some((finding) => finding.code === code && finding.file === place && (at === null || finding.pointer === pointer)))
        continue;
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
    return placed;
  }

  return {
    load,
    async create(agentName, version, inputPayload, overrides) {
      const { prompt } = await load(agentName, version, overrides);
      checkPayload(prompt, inputPayload);
      return prompt;
    },
  };
}

/** @throws InputInvalidError with every issue of the payload. */
export function checkPayload(prompt: AgentPrompt, payload: unknown): asserts payload is JsonObject {
  const issues = prompt.checkPayload(payload);
  if (issues.length === 0) return;
  const list = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  throw new InputInvalidError(`The input of ${prompt.agent_name}@${prompt.version} is not valid: ${list}`, issues);
}

async function readAgentFile(files: Ports['files'], project: ProjectIndex, agentName: string, version: string): Promise<ConfigFile> {
  if (!namePattern.test(agentName) || !namePattern.test(version)) {
    const wrong = namePattern.test(agentName) ? `version ${JSON.stringify(version)}` : `agent name ${JSON.stringify(agentName)}`;
    throw new UnknownAgentConfigError(`The ${wrong} is not a legal name: letters, digits, ".", "_" and "-", at most 64, no path.`, {
      agent_name: agentName,
      version,
    });
  }
  const path = pathOf('agent', `${agentName}@${version}`, project.settings);
  const identity = identifyFile(path, project.settings);
  if (!identity) throw new Error(`${path} is the path of an agent, but is not recognised as one`);
  let text: string;
  try {
    text = await files.readText(path);
  } catch (problem) {
    if (!(problem instanceof FileProblem)) throw problem;
    if (problem.reason === 'not-found') throw unknownAgent(project, agentName, version, path, problem);
    const finding = { code: 'json-syntax', severity: 'error', message: problem.message, file: path, pointer: '' } as const;
    throw new ConfigSyntaxError(problem.message, placeFindings('', [finding]));
  }
  return parseConfigFile(path, text, identity);
}

function unknownAgent(project: ProjectIndex, agentName: string, version: string, path: string, cause: unknown): UnknownAgentConfigError {
  const versions = project.versions(agentName);
  if (versions.length > 0) {
    return new UnknownAgentConfigError(
      `Agent "${agentName}" has no version "${version}" (${path} does not exist). Versions: ${versions.join(', ')}.`,
      { agent_name: agentName, version, nearest: [agentName], versions, cause },
    );
  }
  const names = new Set([...project.ids('agent').keys()].map((id) => id.slice(0, id.indexOf('@'))));
  const nearest = nearestNames(agentName, names);
  const known =
    nearest.length > 0 || names.size === 0 ? '' : ` Agents here: ${[...names].slice(0, 10).join(', ')}${names.size > 10 ? ', ...' : ''}.`;
  return new UnknownAgentConfigError(`There is no agent "${agentName}" (${path} does not exist).${didYouMean(nearest)}${known}`, {
    agent_name: agentName,
    version,
    nearest,
    cause,
  });
}

function throwFirstStage(path: string, findings: readonly PlacedFinding[]): void {
  for (const { name, codes } of stages) {
    const failed = codes.length > 0 ? findings.filter(({ code }) => codes.includes(code)) : findings;
    if (failed.length > 0) throw new ConfigInvalidError(summary(path, `is not a valid agent config (${name})`, failed), failed);
  }
}

function summary(path: string, verdict: string, findings: readonly PlacedFinding[]): string {
  const lines = findings.map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code}: ${message}`);
  return `${path} ${verdict}: ${lines.join('; ')}`;
}
