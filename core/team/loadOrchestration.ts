import { throwErrors } from '../agent/load/throwErrors.js';
import type { ConfigFile } from '../config/configFile.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { mcpInputs } from '../config/mcpFiles.js';
import { readConfigFile } from '../config/parseConfigFile.js';
import { pathOf } from '../config/paths.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { UnknownOrchestrationError } from '../errors.js';
import type { McpInput } from '../generated/types.js';
import { isLegalName, nameWords } from '../kinds.js';
import { didYouMean, firstNames, nearestNames } from '../names.js';
import type { Ports } from '../ports.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import type { ResolvedOrchestration } from '../snapshot/resolveOrchestration.js';
import type { CallOverrides } from '../snapshot/types.js';
import { draftOrchestration, findOrchestrationErrors, readOrchestrationAgents } from './orchestrationDraft.js';
import { orchestrationOfSnapshot } from './orchestrationOfSnapshot.js';
import type { Orchestration } from './types.js';

/** A runnable orchestration, as loaded from the files at one moment. */
export interface LoadedOrchestration {
  readonly orchestration: Orchestration;
  /** What was frozen, with the origins of its values. */
  readonly resolved: ResolvedOrchestration;
  /** The `inputs` of mcp.json, where one of its agents has servers. */
  readonly mcp_inputs: readonly McpInput[];
}

export interface LoadOrchestrationRequest {
  /** As loaded a moment ago. */
  readonly project: LoadedIndex;
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  readonly name: string;
  /** Which `environments/{name}.json` applies. Default: the project's. */
  readonly environment_name?: string | undefined;
  /** The highest layer of every agent in it. */
  readonly overrides?: CallOverrides | undefined;
}

/**
 * Reads the agents of an orchestration, merges the layers, checks the result and freezes it.
 *
 * @throws UnknownOrchestrationError, ConfigSyntaxError, ConfigInvalidError with all findings of the first stage that failed
 */
export async function loadOrchestration(request: LoadOrchestrationRequest): Promise<LoadedOrchestration> {
  const { project, name } = request;
  const schemas = await loadSchemaCompiler();
  const file = await findOrchestration(project, request.ports, name);
  const draftRequest = { ...request, file, schemas };
  const fullRequest = { ...draftRequest, agents: await readOrchestrationAgents(draftRequest) };
  const draft = draftOrchestration(fullRequest);
  const findings = await findOrchestrationErrors(fullRequest, draft, project.read);
  throwErrors([file, ...fullRequest.agents.values()], findings, 'orchestration');
  const snapshot = draft?.snapshot;
  if (draft === undefined || snapshot === undefined) throw new Error('A config that contains a secret passed its rules.');
  const orchestration = orchestrationOfSnapshot(snapshot, schemas);
  if (orchestration === undefined) throw new Error('The snapshot of an orchestration has none.');
  return { orchestration, resolved: draft.resolved, mcp_inputs: mcpInputs(project, draft.resolved.agents.values()) };
}

/** The file of an orchestration, valid or not. @throws UnknownOrchestrationError naming the nearest */
export async function findOrchestration(project: LoadedIndex, { files }: Pick<Ports, 'files'>, name: string): Promise<ConfigFile> {
  if (!isLegalName(name))
    throw new UnknownOrchestrationError(`The orchestration name ${JSON.stringify(name)} is not a legal name: ${nameWords}.`, {
      orchestration: name,
    });
  const path = project.ids('orchestration').get(name);
  if (path === undefined) throw unknownOrchestration(project, name);
  return project.read.get(path) ?? readConfigFile(files, path, { kind: 'orchestration', name, id: name });
}

function unknownOrchestration(project: ProjectIndex, name: string): UnknownOrchestrationError {
  const names = [...project.ids('orchestration').keys()];
  const nearest = nearestNames(name, names);
  const suggestion =
    nearest.length > 0
      ? didYouMean(nearest)
      : names.length === 0
        ? ' The project has none.'
        : ` Orchestrations here: ${firstNames(names)}.`;
  const agent = project.versions(name).length > 0 ? ` There is an agent of that name.` : '';
  return new UnknownOrchestrationError(
    `There is no orchestration ${JSON.stringify(name)} (${pathOf('orchestration', name, project.settings)} does not exist).${suggestion}${agent}`,
    { orchestration: name, nearest },
  );
}
