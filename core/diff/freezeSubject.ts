import { draftAgent, findAgentErrors, readCalledAgents } from '../agent/load/agentDraft.js';
import type { ConfigFile } from '../config/configFile.js';
import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { readConfigFile } from '../config/parseConfigFile.js';
import { identifyFile, pathOf, settingsPath } from '../config/paths.js';
import type { PlacedFinding } from '../finding.js';
import { isObject } from '../json.js';
import type { Ports } from '../ports.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import type { LayerProblem } from '../snapshot/effective.js';
import { draftOrchestration, findOrchestrationErrors, readOrchestrationAgents } from '../team/orchestrationDraft.js';
import type { SubjectName } from './types.js';

/** A project on one side. */
export interface ProjectState {
  readonly index: LoadedIndex;
  readonly ports: Pick<Ports, 'files' | 'environment' | 'sha256'>;
  readonly schemas: SchemaCompiler;
}

export interface FrozenSubject {
  /** Undefined where nothing can be frozen: no JSON, a secret in plain text, an agent that is missing. */
  readonly snapshot: Snapshot | undefined;
  /** What is wrong in its files, without the rules: values that cannot be used are left out of the snapshot. Equal texts for equal faults. */
  readonly faults: string;
  /** Whether its own file exposes it to other programs, which its snapshot does not say. */
  readonly isExposed: boolean;
  readonly path: string;
  /** Why it cannot run. Without what the environment of this process lacks, which says nothing about the files. */
  readonly errors: () => Promise<readonly PlacedFinding[]>;
}

/** Where the file of an agent or orchestration is. */
export function pathOfSubject({ kind, name, version }: SubjectName, { settings }: Pick<LoadedIndex, 'settings'>): string {
  return pathOf(kind, kind === 'agent' ? `${name}@${version}` : name, settings);
}

/** Freezes an agent or orchestration as its files say, even with errors. `${VAR}` without a value stays as written. */
export async function freezeSubject(
  { index, ports, schemas }: ProjectState,
  subject: SubjectName,
  environment_name: string,
): Promise<FrozenSubject> {
  const { kind, name, version = '' } = subject;
  const common = { project: index, ports, schemas, environment_name };
  const settings = index.read.get(settingsPath) ?? [];
  const path = pathOfSubject(subject, index);
  if (kind === 'agent') {
    const id = `${name}@${version}`;
    const file = await readConfigFile(ports.files, path, identifyFile(path, index.settings) ?? { kind, name, version, id });
    const request = { ...common, agent_name: name, version, file };
    const full = { ...request, agents: await readCalledAgents(request) };
    const draft = draftAgent(full);
    const resolved = draft === undefined ? [] : [draft.resolved, ...draft.called.values()];
    return {
      snapshot: draft?.snapshot,
      isExposed: isExposed(file),
      path,
      faults: faultsOf([settings, file, ...full.agents.values()].flat(), resolved),
      errors: async () => withoutVariables(await findAgentErrors(full, draft)),
    };
  }
  const file = index.read.get(path) ?? (await readConfigFile(ports.files, path, { kind, name, id: name }));
  const request = { ...common, file };
  const full = { ...request, agents: await readOrchestrationAgents(request) };
  const draft = draftOrchestration(full);
  const resolved = draft === undefined ? [] : [draft.resolved, ...draft.resolved.agents.values()];
  return {
    snapshot: draft?.snapshot,
    isExposed: isExposed(file),
    path,
    faults: faultsOf([settings, file, ...full.agents.values()].flat(), resolved),
    errors: async () => withoutVariables(await findOrchestrationErrors(full, draft, index.read)),
  };
}

function isExposed({ value }: ConfigFile): boolean {
  return isObject(value) && value.expose === true;
}

/** Of files without faults. */
export const noFaults = JSON.stringify([[], []]);

function faultsOf(files: readonly ConfigFile[], resolved: readonly { readonly problems: readonly LayerProblem[] }[]): string {
  const broken = files.filter(({ syntax, schemaErrors, foreign }) => syntax.length + schemaErrors.length > 0 || foreign !== undefined);
  const problems = resolved.flatMap((each) => withoutVariables(each.problems));
  return JSON.stringify([broken.map(({ path, syntax, schemaErrors }) => [path, syntax, schemaErrors]), problems]);
}

function withoutVariables<Fault extends { readonly code: string }>(findings: readonly Fault[]): readonly Fault[] {
  return findings.filter(({ code }) => code !== 'env-unset');
}
