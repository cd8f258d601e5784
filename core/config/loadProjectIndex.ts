import type { Finding } from '../finding.js';
import type { Kind } from '../kinds.js';
import type { FileSystem } from '../ports.js';
import type { ConfigFile } from './configFile.js';
import { hidesFiles, listConfigFiles, readOr } from './listConfigFiles.js';
import { isForeignMcpKind } from './mcpFiles.js';
import { MemoryIndex } from './memoryIndex.js';
import { parseConfigFile } from './parseConfigFile.js';
import { identifyFile, settingsIdentity, settingsPath } from './paths.js';
import type { Registered } from './projectIndex.js';
import type { ProjectSettings } from './projectSettings.js';
import { defaultSettings, readSettings, settingsWithoutFile } from './readSettings.js';

/** A loaded index, with the files that could not be loaded. */
export interface LoadedIndex extends MemoryIndex {
  /** The files that were read, by path: all except agents, payloads and baselines. */
  readonly read: ReadonlyMap<string, ConfigFile>;
  /** Files and folders that could not be read, each at its start. Not sorted. */
  readonly findings: readonly Finding[];
}

export interface LoadIndexOptions {
  /** Project paths of the agent files to include. Default: all existing ones, which requires listing every agent's folder. */
  readonly agents?: readonly string[] | undefined;
  /** What code registers for a project with these settings. Default: nothing. */
  readonly registered?: RegisteredFor | undefined;
  /** Whether the folder is no project, so that only what other tools have in it is read. */
  readonly bare?: boolean | undefined;
}

/** Kinds with possibly very many or very long files, only one of which is needed at a time. */
const unreadKinds: readonly Kind[] = ['agent', 'payload', 'baseline'];

export type RegisteredFor = (settings: ProjectSettings) => Promise<Registered>;

/**
 * Reads all config files but agents, payloads and baselines, which are listed by name: references from agents are known only after calling `set` for
 * each. Never throws for the content of files.
 *
 * @throws FileProblem if the file system fails in a way that does not concern a single file
 */
export async function loadProjectIndex(files: FileSystem, { agents, registered, bare }: LoadIndexOptions = {}): Promise<LoadedIndex> {
  const findings: Finding[] = [];
  const read = new Map<string, ConfigFile>();
  const text = await readOr(files, settingsPath, findings);
  const settingsFile = text === undefined ? undefined : parseConfigFile(settingsPath, text, settingsIdentity);
  const settings = settingsFile !== undefined ? readSettings(settingsFile) : findings.length > 0 ? defaultSettings : settingsWithoutFile;
  const index = new MemoryIndex(settings);
  if (registered !== undefined) index.registered = await registered(settings);
  const take = (file: ConfigFile): void => {
    read.set(file.path, file);
    index.set(file);
  };
  if (settingsFile !== undefined) take(settingsFile);
  else if (findings.length > 0) index.setUnreadable(settingsPath, settingsIdentity);

  const listed = (agents ?? []).flatMap((path) => {
    const identity = identifyFile(path, settings);
    return identity === undefined ? [] : [{ path, identity }];
  });
  const isWanted = (kind: Kind) => (bare ? isForeignMcpKind(kind) : agents === undefined || kind !== 'agent');
  const unlisted: Finding[] = [];
  for await (const batch of listConfigFiles(files, settings, { isWanted, report: (finding) => unlisted.push(finding) }))
    listed.push(...batch);
  if (unlisted.some(hidesFiles)) index.setUnlisted();
  findings.push(...unlisted);

  for (const { path, identity } of listed) {
    index.announce(path, identity);
    if (unreadKinds.includes(identity.kind)) continue;
    const text = await readOr(files, path, findings);
    if (text === undefined) index.setUnreadable(path, identity);
    else take(parseConfigFile(path, text, identity));
  }
  return Object.assign(index, { read, findings, settingsFile });
}
