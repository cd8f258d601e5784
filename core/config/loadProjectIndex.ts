import type { Finding } from '../finding.js';
import { type DirectoryEntry, FileProblem, type FileSystem } from '../ports.js';
import type { FileIdentity } from './configFile.js';
import { MemoryIndex } from './memoryIndex.js';
import { parseConfigFile } from './parseConfigFile.js';
import { configPrefix, identifyFile, places, settingsIdentity, settingsPath } from './paths.js';
import type { ProjectSettings } from './projectSettings.js';
import { defaultSettings, readSettings } from './readSettings.js';

/** An index as loaded, with what could not be. */
export interface LoadedIndex extends MemoryIndex {
  /** Files and folders that could not be read, each at its start. Not sorted. */
  readonly findings: readonly Finding[];
}

/**
 * Reads what lies under other files (settings, system, environments, llm profiles, personas, prompts) and lists the rest by name, without
 * reading it: references from agents are known only after `set` was called for each. Never throws for the content of files.
 *
 * @throws FileProblem when the file system fails in a way that concerns no single file
 */
export async function loadProjectIndex(files: FileSystem): Promise<LoadedIndex> {
  const findings: Finding[] = [];
  const index = await startIndex(files, findings);
  for (const { path, identity } of await listFiles(files, index.settings, findings)) {
    index.announce(path, identity);
    if (identity.kind === 'agent' || identity.kind === 'payload') continue;
    const text = await readOr(files, path, findings);
    if (text === undefined) index.setUnreadable(path, identity);
    else index.set(parseConfigFile(path, text, identity));
  }
  return Object.assign(index, { findings });
}

/** A file that cannot be read, as a finding at its start. */
export function unreadable(problem: FileProblem): Finding {
  return {
    code: 'json-syntax',
    severity: 'error',
    message: problem.message,
    file: problem.path,
    pointer: '',
    range: { start: 0, end: 0 },
    data: { reason: problem.reason },
  };
}

/** An index that knows the settings, and their file when there is one. */
async function startIndex(files: FileSystem, findings: Finding[]): Promise<MemoryIndex> {
  const problems: Finding[] = [];
  const text = await readOr(files, settingsPath, problems);
  findings.push(...problems);
  const file = text === undefined ? undefined : parseConfigFile(settingsPath, text, settingsIdentity);
  const index = new MemoryIndex(file === undefined ? defaultSettings : readSettings(file));
  if (file !== undefined) index.set(file);
  else if (problems.length > 0) index.setUnreadable(settingsPath, settingsIdentity);
  return index;
}

/** The text, or undefined when there is none; all but its absence is a finding. */
async function readOr(files: FileSystem, path: string, findings: Finding[]): Promise<string | undefined> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    if (error.reason !== 'not-found') findings.push(unreadable(error));
    return undefined;
  }
}

async function listFiles(
  files: FileSystem,
  settings: ProjectSettings,
  findings: Finding[],
): Promise<readonly { path: string; identity: FileIdentity }[]> {
  const found: { path: string; identity: FileIdentity }[] = [];
  const list = async (folder: string): Promise<readonly DirectoryEntry[]> => {
    try {
      return await files.list(folder);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      findings.push(unreadable(error));
      return [];
    }
  };
  const take = (path: string) => {
    const identity = identifyFile(path, settings);
    if (identity !== undefined) found.push({ path, identity });
  };
  const prefix = configPrefix(settings);
  const walk = async (folder: string, levels: number): Promise<void> => {
    for (const { name, kind } of await list(folder)) {
      const path = `${folder}/${name}`;
      if (levels === 1) take(path);
      else if (kind === 'directory') await walk(path, levels - 1);
      else if (kind === 'outside')
        findings.push(
          unreadable(new FileProblem('outside-project', path, `${path} is a link that leaves the project, so it is not followed.`)),
        );
    }
  };
  for (const { folder, fields, fixed } of places) {
    if (fixed === undefined) await walk(`${prefix}${folder}`, fields.length);
  }
  const top = new Set((await list(prefix === '' ? '' : prefix.slice(0, -1))).map(({ name }) => name));
  for (const { fixed } of places) {
    if (fixed !== undefined && top.has(`${fixed}.json`)) take(`${prefix}${fixed}.json`);
  }
  return found;
}
