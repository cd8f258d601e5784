import { throwErrors } from '../agent/throwErrors.js';
import type { ConfigFile } from '../config/configFile.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import { pathOf } from '../config/paths.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { readConfigFile } from '../config/readConfigFile.js';
import { UnknownOrchestrationError } from '../errors.js';
import { namePattern } from '../kinds.js';
import { didYouMean, firstNames, nearestNames } from '../names.js';
import type { Ports } from '../ports.js';
import { loadSchemaCompiler } from '../schema/loadSchemaCompiler.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { CallOverrides } from '../snapshot/types.js';
import { draftOrchestration, findOrchestrationErrors, type OrchestrationDraft, readOrchestrationAgents } from './orchestrationDraft.js';
import { orchestrationOfSnapshot } from './orchestrationOfSnapshot.js';
import type { Orchestration } from './types.js';

export interface OrchestrationFactory {
  /**
   * An orchestration as it will run: its file, the agents and personas of its tasks, the agents that their plans call, and all they are layered
   * on, checked and frozen. `overrides` apply to every agent of it.
   * @throws UnknownOrchestrationError, ConfigSyntaxError, ConfigInvalidError
   */
  load(name: string, overrides?: CallOverrides): Promise<Orchestration>;
}

export interface OrchestrationFactoryOptions {
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  /** Which `environments/{name}.json` applies. Default: the project's. */
  readonly environment_name?: string;
}

/** Stateless: each call depends on its arguments and the files as they are at that moment. */
export function createOrchestrationFactory(options: OrchestrationFactoryOptions): OrchestrationFactory {
  return {
    async load(name, overrides) {
      const { snapshot, schemas } = await loadOrchestrationDraft(options, name, overrides);
      const orchestration = orchestrationOfSnapshot(snapshot, schemas);
      if (orchestration === undefined) throw new Error('The snapshot of an orchestration holds none.');
      return orchestration;
    },
  };
}

/** An orchestration that can run, as it is made of the files of this moment. @throws as `OrchestrationFactory.load` */
export async function loadOrchestrationDraft(
  { ports, environment_name }: OrchestrationFactoryOptions,
  name: string,
  overrides?: CallOverrides,
): Promise<{ readonly draft: OrchestrationDraft; readonly snapshot: Snapshot; readonly schemas: SchemaCompiler }> {
  const [project, schemas] = await Promise.all([loadProjectIndex(ports.files), loadSchemaCompiler()]);
  const file = await readOrchestration(ports.files, project, name);
  const asked = { file, project, schemas, ports, environment_name, overrides };
  const request = { ...asked, agents: await readOrchestrationAgents(asked) };
  const draft = draftOrchestration(request);
  const findings = await findOrchestrationErrors(request, draft);
  throwErrors([file, ...request.agents.values()], findings, 'orchestration');
  const snapshot = draft?.snapshot;
  if (draft === undefined || snapshot === undefined) throw new Error('A config with a secret in it passed its rules.');
  return { draft, snapshot, schemas };
}

/** The file of an orchestration, whatever is in it. @throws UnknownOrchestrationError naming the nearest */
export async function readOrchestration(files: Ports['files'], project: ProjectIndex, name: string): Promise<ConfigFile> {
  if (!namePattern.test(name))
    throw new UnknownOrchestrationError(
      `The orchestration name ${JSON.stringify(name)} is not a legal name: letters, digits, ".", "_" and "-", at most 64, no path.`,
      { orchestration: name },
    );
  const path = project.ids('orchestration').get(name);
  if (path === undefined) throw unknownOrchestration(project, name);
  return readConfigFile(files, path, { kind: 'orchestration', name, id: name });
}

function unknownOrchestration(project: ProjectIndex, name: string): UnknownOrchestrationError {
  const names = [...project.ids('orchestration').keys()];
  const nearest = nearestNames(name, names);
  const known =
    nearest.length > 0
      ? didYouMean(nearest)
      : names.length === 0
        ? ' The project has none.'
        : ` Orchestrations here: ${firstNames(names)}.`;
  const agent = project.versions(name).length > 0 ? ` There is an agent of that name.` : '';
  return new UnknownOrchestrationError(
    `There is no orchestration ${JSON.stringify(name)} (${pathOf('orchestration', name, project.settings)} does not exist).${known}${agent}`,
    { orchestration: name, nearest },
  );
}
