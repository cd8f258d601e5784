import { listConfigFiles } from '../../../core/config/listConfigFiles.js';
import type { KnownFile } from '../../../core/config/memoryIndex.js';
import type { ProjectSettings } from '../../../core/config/projectSettings.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import type { Kind } from '../../../core/kinds.js';
import { compareNatural } from '../../../core/names.js';
import type { FileSystem } from '../../../core/ports.js';

/** A version of an agent or a prompt, or a case of payloads. */
export interface NamedPath {
  readonly name: string;
  readonly path: string;
}

/** An agent or a prompt with its versions, newest first; of an agent that has payloads only, none. */
export interface Versioned {
  readonly name: string;
  readonly versions: readonly NamedPath[];
  /** Payloads of an agent. */
  readonly payloads: readonly NamedPath[];
}

/** An orchestration with its payloads. */
export interface ListedOrchestration extends NamedPath {
  readonly payloads: readonly NamedPath[];
}

/** What files a project has, by name alone: nothing but agentstack.json has been read. Everything in natural order. */
export interface ProjectListing {
  readonly settings: ProjectSettings;
  readonly agents: readonly Versioned[];
  readonly prompts: readonly Versioned[];
  readonly llms: readonly NamedPath[];
  readonly personas: readonly NamedPath[];
  /** Payloads whose name is that of an agent too are with the agent. */
  readonly orchestrations: readonly ListedOrchestration[];
  /** `system.json`, then the environments. */
  readonly environments: readonly NamedPath[];
  /** Project path of mcp.json; undefined without one. */
  readonly mcp: string | undefined;
  /** Project paths of all of them. */
  readonly paths: ReadonlySet<string>;
}

/** Longest uninterrupted stretch of listing, in ms, so that other work is not held up noticeably. */
const stretch = 8;

/** @param pause lets others have their turn; called now and then in a large project */
export async function listProject(files: FileSystem, pause: () => Promise<void>): Promise<ProjectListing> {
  const settings = await readProjectSettings(files);
  const knownFiles: KnownFile[] = [];
  let since = performance.now();
  // What cannot be listed is a finding of `check`, not of a view.
  for await (const some of listConfigFiles(files, settings, { isWanted: () => true, report: () => undefined })) {
    for (const file of some) knownFiles.push(file);
    if (performance.now() - since < stretch) continue;
    await pause();
    since = performance.now();
  }
  return toListing(settings, knownFiles);
}

export function toListing(settings: ProjectSettings, files: readonly KnownFile[]): ProjectListing {
  const of = (kind: Kind): readonly KnownFile[] => files.filter(({ identity }) => identity.kind === kind);
  const plain = (kind: Kind) =>
    of(kind)
      .map(({ path, identity: { name } }) => ({ name, path }))
      .sort(byName);
  const agents = new Set(of('agent').map(({ identity }) => identity.name));
  const teams = new Set(of('orchestration').flatMap(({ identity: { name } }) => (agents.has(name) ? [] : [name])));
  const isOfTeam = ({ identity }: KnownFile) => teams.has(identity.agent ?? '');
  const payloads = of('payload');
  const cases = new Map(toVersioned([], payloads.filter(isOfTeam)).map((team) => [team.name, team.payloads]));
  return {
    settings,
    agents: toVersioned(
      of('agent'),
      payloads.filter((payload) => !isOfTeam(payload)),
    ),
    prompts: toVersioned(of('prompt'), []),
    llms: plain('llm'),
    personas: plain('persona'),
    orchestrations: plain('orchestration').map((orchestration) => ({ ...orchestration, payloads: cases.get(orchestration.name) ?? [] })),
    environments: plain('system').sort((left, right) => Number(isSystem(right)) - Number(isSystem(left)) || byName(left, right)),
    mcp: of('mcp')[0]?.path,
    paths: new Set(files.map(({ path }) => path)),
  };
}

/** `system.json` itself, not an environment that happens to be called so. */
export function isSystem({ path }: Pick<NamedPath, 'path'>): boolean {
  return !/(?:^|\/)environments\/[^/]+$/.test(path);
}

function toVersioned(versions: readonly KnownFile[], payloads: readonly KnownFile[]): Versioned[] {
  const agentsByName = new Map<string, { name: string; versions: NamedPath[]; payloads: NamedPath[] }>();
  const entry = (name: string) => {
    const agentFiles = agentsByName.get(name) ?? { name, versions: [], payloads: [] };
    agentsByName.set(name, agentFiles);
    return agentFiles;
  };
  for (const { path, identity } of versions) entry(identity.name).versions.push({ name: identity.version ?? '', path });
  for (const { path, identity } of payloads) entry(identity.agent ?? '').payloads.push({ name: identity.name, path });
  for (const { versions: own, payloads: cases } of agentsByName.values()) {
    own.sort((left, right) => byName(right, left));
    cases.sort(byName);
  }
  return [...agentsByName.values()].sort(byName);
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return compareNatural(left.name, right.name);
}
