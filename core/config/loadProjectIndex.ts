import type { Finding } from '../finding.js';
import type { FileSystem } from '../ports.js';
import type { ConfigFile } from './configFile.js';
import { type ListingOptions, listProject, readOr } from './listConfigFiles.js';
import { MemoryIndex } from './memoryIndex.js';
import { parseConfigFile } from './parseConfigFile.js';
import { settingsIdentity, settingsPath } from './paths.js';
import { defaultSettings, readSettings } from './readSettings.js';

/** An index as loaded, with what could not be. */
export interface LoadedIndex extends MemoryIndex {
  /** The files that were read, by path: all but agents and payloads. */
  readonly read: ReadonlyMap<string, ConfigFile>;
  /** Files and folders that could not be read, each at its start. Not sorted. */
  readonly findings: readonly Finding[];
}

/**
 * Reads all config files but agents and payloads, which are listed by name: references from agents are known only after `set` was called for
 * each. Never throws for the content of files.
 *
 * @throws FileProblem when the file system fails in a way that concerns no single file
 */
export async function loadProjectIndex(files: FileSystem, options: ListingOptions = {}): Promise<LoadedIndex> {
  const { settingsText, files: listed, findings: unlisted } = await listProject(files, options);
  const findings = [...unlisted];
  const settings = typeof settingsText === 'string' ? parseConfigFile(settingsPath, settingsText, settingsIdentity) : undefined;
  const index = new MemoryIndex(settings === undefined ? defaultSettings : readSettings(settings));
  const read = new Map<string, ConfigFile>();
  const take = (file: ConfigFile): void => {
    read.set(file.path, file);
    index.set(file);
  };
  if (settings !== undefined) take(settings);
  else if (settingsText === null) index.setUnreadable(settingsPath, settingsIdentity);
  // A folder that could not be listed, or a link out of the project.
  if (findings.some(({ file }) => file !== settingsPath)) index.setUnlisted();
  for (const { path, identity } of listed) {
    index.announce(path, identity);
    if (identity.kind === 'agent' || identity.kind === 'payload') continue;
    const text = await readOr(files, path, findings);
    if (text === undefined) index.setUnreadable(path, identity);
    else take(parseConfigFile(path, text, identity));
  }
  return Object.assign(index, { read, findings });
}
