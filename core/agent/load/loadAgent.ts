import type { ConfigFile } from '../../config/configFile.js';
import { mcpInputs } from '../../config/mcpFiles.js';
import { parseConfigFile } from '../../config/parseConfigFile.js';
import { identifyFile, pathOf } from '../../config/paths.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import { ConfigSyntaxError, UnknownAgentConfigError } from '../../errors.js';
import type { McpInput } from '../../generated/types.js';
import { placeFindings } from '../../jsonText/placeFindings.js';
import { isLegalName, nameWords } from '../../kinds.js';
import { agentNames, didYouMean, firstNames, nearestNames } from '../../names.js';
import { FileProblem, type Ports } from '../../ports.js';
import { loadSchemaCompiler } from '../../schema/schemaCompiler.js';
import type { CallOverrides, ResolvedAgent } from '../../snapshot/types.js';
import type { Agent } from '../types.js';
import { draftAgent, findAgentErrors, readCalledAgents } from './agentDraft.js';
import { agentsOfSnapshot } from './agentsOfSnapshot.js';
import { throwErrors } from './throwErrors.js';

/** A runnable agent, loaded from the files at one moment. */
export interface LoadedAgent {
  readonly agent: Agent;
  /** The agents that its plan calls, and those that theirs call, by `name@version`, with the origins of their values. */
  readonly called: ReadonlyMap<string, ResolvedAgent>;
  /** The `inputs` of mcp.json, if one of these agents has servers. */
  readonly mcp_inputs: readonly McpInput[];
}

export interface LoadAgentRequest {
  /** Recently loaded. */
  readonly project: ProjectIndex;
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  readonly agent_name: string;
  readonly version: string;
  /** Which `environments/{name}.json` applies. Default: the project's. */
  readonly environment_name?: string | undefined;
  /** The highest layer: agent fields, and an LLM profile instead of the agent's. */
  readonly overrides?: CallOverrides | undefined;
}

/**
 * Reads an agent's file and those of the agents that its plan calls, merges the layers, checks the result and freezes it.
 *
 * @throws UnknownAgentConfigError, ConfigSyntaxError, ConfigInvalidError with all findings of the first stage that failed
 */
export async function loadAgent(request: LoadAgentRequest): Promise<LoadedAgent> {
  const { project, ports, agent_name, version } = request;
  const schemas = await loadSchemaCompiler();
  const file = await readAgentFile(ports.files, project, agent_name, version);
  const agentRequest = { ...request, file, schemas };
  const fullRequest = { ...agentRequest, agents: await readCalledAgents(agentRequest) };
  const draft = draftAgent(fullRequest);
  const findings = await findAgentErrors(fullRequest, draft);
  throwErrors([file, ...fullRequest.agents.values()], findings, 'agent');
  const snapshot = draft?.snapshot;
  if (draft === undefined || snapshot === undefined) throw new Error('A config that contains a secret passed its rules.');
  const { prompt, resolved, called, model, price } = draft;
  const frozen = called.size > 0 || resolved.policy ? agentsOfSnapshot(snapshot, { schemas }) : undefined;
  const monitor = frozen?.get(agent_name)?.monitor;
  const others = { ...(frozen && called.size > 0 && { agents: frozen }), ...(monitor && { monitor }) };
  const agent: Agent = Object.freeze({ prompt, resolved, snapshot, model, price, schemas, ...others });
  return { agent, called, mcp_inputs: mcpInputs(project, [resolved, ...called.values()]) };
}

async function readAgentFile(files: Ports['files'], project: ProjectIndex, agentName: string, version: string): Promise<ConfigFile> {
  if (!isLegalName(agentName) || !isLegalName(version)) {
    const invalid = isLegalName(agentName) ? `version ${JSON.stringify(version)}` : `agent name ${JSON.stringify(agentName)}`;
    throw new UnknownAgentConfigError(`The ${invalid} is not a legal name: ${nameWords}.`, {
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
  const names = agentNames(project);
  const nearest = nearestNames(agentName, names);
  const agentsHere = nearest.length > 0 || names.size === 0 ? '' : ` Agents here: ${firstNames(names)}.`;
  return new UnknownAgentConfigError(`There is no agent "${agentName}" (${path} does not exist).${didYouMean(nearest)}${agentsHere}`, {
    agent_name: agentName,
    version,
    nearest,
    cause,
  });
}
