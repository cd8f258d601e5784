import type { Finding } from '../finding.js';
import { isObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { type DirectoryEntry, FileProblem, type FileSystem } from '../ports.js';
import type { KnownFile } from './memoryIndex.js';
import { configPrefix, identifyFile, identityAt, type Place, places, settingsIdentity, settingsPath } from './paths.js';
import type { ProjectSettings } from './projectSettings.js';
import { defaultSettings, readSettings } from './readSettings.js';

/** What there is in a project, before any file but its settings has been read. */
export interface Listing {
  /** The text of agentstack.json: null where it cannot be read, undefined where there is none. */
  readonly settingsText: string | null | undefined;
  readonly files: readonly KnownFile[];
  /** Folders that could not be listed, links that leave the project, and settings that could not be read, each at its start. Not sorted. */
  readonly findings: readonly Finding[];
}

export interface ListingOptions {
  /** Project paths of all agent files, where they are known already: their folders are not listed again. */
  readonly agents?: readonly string[] | undefined;
}

/** @throws FileProblem when the file system fails in a way that concerns no single file */
export async function listProject(files: FileSystem, { agents }: ListingOptions = {}): Promise<Listing> {
  const findings: Finding[] = [];
  const text = await readOr(files, settingsPath, findings);
  const settingsText = text ?? (findings.length > 0 ? null : undefined);
  const settings = text === undefined || hasUsualFolder(text) ? defaultSettings : await settingsIn(text);
  const listed: KnownFile[] = [];
  for (const path of agents ?? []) {
    const identity = identifyFile(path, settings);
    if (identity !== undefined) listed.push({ path, identity });
  }
  const isWanted = (kind: Kind) => agents === undefined || kind !== 'agent';
  const report = (finding: Finding) => findings.push(finding);
  for await (const found of listConfigFiles(files, settings, { isWanted, report })) {
    for (const file of found) listed.push(file);
  }
  return { settingsText, files: listed, findings };
}

/** Of the settings, only the config folder decides what is listed, and nearly all projects have it where it is by default. */
function hasUsualFolder(text: string): boolean {
  try {
    const settings: unknown = JSON.parse(text);
    return isObject(settings) && (settings.config_dir === undefined || settings.config_dir === defaultSettings.config_dir);
  } catch {
    return false;
  }
}

/** Loads all schemas, which most projects need not wait for. */
async function settingsIn(text: string): Promise<ProjectSettings> {
  const { parseConfigFile } = await import('./parseConfigFile.js');
  return readSettings(parseConfigFile(settingsPath, text, settingsIdentity));
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

/** The text, or undefined when there is none; all but its absence is a finding. */
export async function readOr(files: FileSystem, path: string, findings: Finding[]): Promise<string | undefined> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    if (error.reason !== 'not-found') findings.push(unreadable(error));
    return undefined;
  }
}

export interface ListOptions {
  readonly isWanted: (kind: Kind) => boolean;
  /** Called for each folder that cannot be listed and each link that leaves the project. */
  readonly report: (finding: Finding) => void;
}

/** Folders listed before the files in them are handed on. */
const foldersAtATime = 16;

/** The config files there are, those of some folders at a time (possibly none), so that whoever lists a large project can pause in between. */
export async function* listConfigFiles(
  files: FileSystem,
  settings: ProjectSettings,
  { isWanted, report }: ListOptions,
): AsyncGenerator<readonly KnownFile[], void, undefined> {
  const lister: Lister = { files, report };
  const prefix = configPrefix(settings);
  for (const place of places) {
    if (place.fixed !== undefined || !isWanted(place.kind)) continue;
    let found: KnownFile[] = [];
    let listed = 0;
    for (const folder of await foldersOf(place, settings, lister)) {
      takeFiles(place, folder, await list(lister, folder.path), found);
      listed += 1;
      if (listed % foldersAtATime > 0) continue;
      yield found;
      found = [];
    }
    yield found;
  }
  const top = new Set((await list(lister, prefix === '' ? '' : prefix.slice(0, -1))).map(({ name }) => name));
  for (const place of places) {
    const file = `${place.fixed}.json`;
    if (place.fixed === undefined || !isWanted(place.kind) || !top.has(file)) continue;
    const path = `${prefix}${file}`;
    const identity = identifyFile(path, settings);
    if (identity !== undefined) yield [{ path, identity }];
  }
}

interface Lister {
  readonly files: FileSystem;
  readonly report: ListOptions['report'];
}

/** A folder on the way to config files, and how it and those around it are called, down from the place's own. */
interface Folder {
  readonly path: string;
  readonly names: readonly string[];
}

/** The folders in which files of a place lie. */
async function foldersOf(place: Place, settings: ProjectSettings, lister: Lister): Promise<readonly Folder[]> {
  let folders: readonly Folder[] = [{ path: `${configPrefix(settings)}${place.folder}`, names: [] }];
  for (let level = 1; level < place.fields.length; level++) {
    const below: Folder[] = [];
    for (const { path, names } of folders) {
      for (const { name, kind } of await list(lister, path)) {
        const inside = `${path}/${name}`;
        if (kind === 'directory') below.push({ path: inside, names: [...names, name] });
        else if (kind === 'outside')
          lister.report(
            unreadable(new FileProblem('outside-project', inside, `${inside} is a link that leaves the project, so it is not followed.`)),
          );
      }
    }
    folders = below;
  }
  return folders;
}

/** Empty where the folder cannot be listed, which is reported. */
async function list({ files, report }: Lister, folder: string): Promise<readonly DirectoryEntry[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    report(unreadable(error));
    return [];
  }
}

function takeFiles(place: Place, { path, names }: Folder, entries: readonly DirectoryEntry[], found: KnownFile[]): void {
  for (const { name } of entries) {
    const identity = identityAt(place, names, name);
    if (identity !== undefined) found.push({ path: `${path}/${name}`, identity });
  }
}
