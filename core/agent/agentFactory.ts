import type { ConfigFile } from '../config/configFile.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import { parseConfigFile } from '../config/parseConfigFile.js';
import { identifyFile, pathOf } from '../config/paths.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { ConfigSyntaxError, UnknownAgentConfigError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { placeFindings } from '../jsonText/placeFindings.js';
import { namePattern } from '../kinds.js';
import { didYouMean, firstNames, nearestNames } from '../names.js';
import { FileProblem, type Ports } from '../ports.js';
import type { AgentPrompt } from '../prompt/agentPrompt.js';
import { loadSchemaCompiler } from '../schema/loadSchemaCompiler.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { CallOverrides } from '../snapshot/types.js';
import { type AgentDraft, draftAgent, findAgentErrors, readCalledAgents } from './agentDraft.js';
import { agentsOfSnapshot } from './agentsOfSnapshot.js';
import { checkPayload } from './checkPayload.js';
import { throwErrors } from './throwErrors.js';
import type { Agent } from './types.js';

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

/** Stateless: each call depends on its arguments and the files as they are at that moment. */
export function createAgentFactory(options: AgentFactoryOptions): AgentFactory {
  async function load(agentName: string, version: string, overrides?: CallOverrides): Promise<Agent> {
    const { draft, snapshot, schemas } = await loadAgentDraft(options, agentName, version, overrides);
    const { prompt, resolved, called, model, price } = draft;
    const agents = called.size > 0 ? agentsOfSnapshot(snapshot, { schemas }) : undefined;
    return Object.freeze({ prompt, resolved, snapshot, model, price, schemas, ...(agents && { agents }) });
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

/** An agent that can run, as it is made of the files of this moment. @throws as `AgentFactory.load` */
export async function loadAgentDraft(
  { ports, environment_name }: AgentFactoryOptions,
  agentName: string,
  version: string,
  overrides?: CallOverrides,
): Promise<{ readonly draft: AgentDraft; readonly snapshot: Snapshot; readonly schemas: SchemaCompiler }> {
  const [project, schemas] = await Promise.all([loadProjectIndex(ports.files), loadSchemaCompiler()]);
  const file = await readAgentFile(ports.files, project, agentName, version);
  const asked = { agent_name: agentName, version, file, project, schemas, ports, environment_name, overrides };
  const request = { ...asked, agents: await readCalledAgents(asked) };
  const draft = draftAgent(request);
  const findings = await findAgentErrors(request, draft);
  throwErrors([file, ...request.agents.values()], findings, 'agent');
  const snapshot = draft?.snapshot;
  if (draft === undefined || snapshot === undefined) throw new Error('A config with a secret in it passed its rules.');
  return { draft, snapshot, schemas };
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
  const known = nearest.length > 0 || names.size === 0 ? '' : ` Agents here: ${firstNames(names)}.`;
  return new UnknownAgentConfigError(`There is no agent "${agentName}" (${path} does not exist).${didYouMean(nearest)}${known}`, {
    agent_name: agentName,
    version,
    nearest,
    cause,
  });
}
