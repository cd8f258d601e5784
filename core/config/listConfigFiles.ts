import type { Finding } from '../finding.js';
import type { Kind } from '../kinds.js';
import { type DirectoryEntry, FileProblem, type FileSystem } from '../ports.js';
import type { KnownFile } from './memoryIndex.js';
import { configPrefix, identifyFile, identityAt, type Place, places } from './paths.js';
import type { ProjectSettings } from './projectSettings.js';

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

/** The text, or undefined when there is none; any other reason is a finding. */
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

/** The config files there are, folder by folder, so that a caller can pause in a large project. */
export async function* listConfigFiles(
  files: FileSystem,
  settings: ProjectSettings,
  { isWanted, report }: ListOptions,
): AsyncGenerator<readonly KnownFile[], void, undefined> {
  const lister: Lister = { files, report };
  const prefix = configPrefix(settings);
  for (const place of places) {
    if (place.fixed !== undefined || !isWanted(place.kind)) continue;
    for (const folder of await foldersOf(place, settings, lister)) yield filesAmong(await list(lister, folder.path), place, folder);
  }
  const top = new Set((await list(lister, prefix === '' ? '' : prefix.slice(0, -1))).map(({ name }) => name));
  for (const { kind, fixed } of places) {
    if (fixed === undefined || !isWanted(kind) || !top.has(`${fixed}.json`)) continue;
    const path = `${prefix}${fixed}.json`;
    const identity = identifyFile(path, settings);
    if (identity !== undefined) yield [{ path, identity }];
  }
}

interface Lister {
  readonly files: FileSystem;
  readonly report: ListOptions['report'];
}

/** A folder on the way to config files, and the names of the folders between it and the place's own. */
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

function filesAmong(entries: readonly DirectoryEntry[], place: Place, { path, names }: Folder): readonly KnownFile[] {
  return entries.flatMap(({ name }) => {
    const identity = identityAt(place, names, name);
    return identity === undefined ? [] : [{ path: `${path}/${name}`, identity }];
  });
}
