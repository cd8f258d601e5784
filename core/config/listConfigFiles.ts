import type { Finding } from '../finding.js';
import type { Kind } from '../kinds.js';
import { type DirectoryEntry, FileProblem, type FileSystem } from '../ports.js';
import type { KnownFile } from './memoryIndex.js';
import { configPrefix, identifyFile, identityAt, otherMcpFiles, type Place, places } from './paths.js';
import type { ProjectSettings } from './projectSettings.js';
import { findOtherFormats, findStrays, findSystemConfigs } from './strayFiles.js';

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

/** Whether the reported place may hide config files: a folder that cannot be listed, a link out of the project. */
export function hidesFiles({ code }: Finding): boolean {
  return code === 'json-syntax';
}

/** The text, or undefined if the file does not exist; any other failure is a finding. */
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
  /** A folder: only files in it, at any depth, are listed. Default: the project. */
  readonly within?: string;
  /** Called for each folder that cannot be listed, each link that leaves the project, and each file in the config folders that is never read. */
  readonly report: (finding: Finding) => void;
}

/** The existing config files, folder by folder, so that a caller can pause in a large project. */
export async function* listConfigFiles(
  files: FileSystem,
  settings: ProjectSettings,
  { isWanted, report, within = '' }: ListOptions,
): AsyncGenerator<readonly KnownFile[], void, undefined> {
  const lister: Lister = { files, report, within };
  for await (const file of listOtherMcpFiles(lister)) if (isWanted(file.identity.kind)) yield [file];
  const prefix = configPrefix(settings);
  for (const place of places) {
    if (place.fixed !== undefined || !isWanted(place.kind)) continue;
    for (const folder of await foldersOf(place, settings, lister)) {
      const entries = await list(lister, folder.path);
      if (folder.names.every((name) => !name.startsWith('.'))) await reportBelow(entries, place, folder.path, settings, lister);
      if (!isInside(within, folder.path)) continue;
      const isOurs = (name: string) => identityAt(place, folder.names, name, settings) !== undefined;
      for (const finding of findOtherFormats(entries, isOurs, folder.path)) report(finding);
      yield filesAmong(entries, place, folder, settings);
    }
  }
  const folder = prefix === '' ? '' : prefix.slice(0, -1);
  if (!isInside(within, folder)) return;
  const entries = await list(lister, folder);
  const fixedNames = places.flatMap(({ fixed, kind }) => (fixed !== undefined && isWanted(kind) ? [`${fixed}.json`] : []));
  for (const finding of findOtherFormats(entries, (name) => fixedNames.includes(name), folder)) report(finding);
  if (isWanted('system')) for (const finding of findSystemConfigs(entries, settings)) report(finding);
  const top = new Set(entries.map(({ name }) => name));
  for (const { kind, fixed } of places) {
    if (fixed === undefined || !isWanted(kind) || !top.has(`${fixed}.json`)) continue;
    const path = `${prefix}${fixed}.json`;
    const identity = identifyFile(path, settings);
    if (identity !== undefined) yield [{ path, identity }];
  }
}

/** In the project folder and in `.vscode`, which is read only if it is a folder of the project. */
async function* listOtherMcpFiles(lister: Lister): AsyncGenerator<KnownFile, void, undefined> {
  const { within } = lister;
  const top = isInside(within, '') || within === '.vscode' ? await list(lister, '') : [];
  for (const [path, identity] of otherMcpFiles) {
    const [first, second] = path.split('/');
    const isAt = (entries: readonly DirectoryEntry[], name: string | undefined, kind: DirectoryEntry['kind']) =>
      entries.some((entry) => entry.name === name && entry.kind === kind);
    if (second === undefined) {
      if (isInside(within, '') && isAt(top, first, 'file')) yield { path, identity };
    } else if (isAt(top, first, 'directory') && isAt(await list(lister, first ?? ''), second, 'file')) yield { path, identity };
  }
}

interface Lister {
  readonly files: FileSystem;
  readonly report: ListOptions['report'];
  readonly within: string;
}

function isInside(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** A folder on the way to config files, and the names of the folders between it and the place's own. */
interface Folder {
  readonly path: string;
  readonly names: readonly string[];
}

/** The folders that contain files of a place. */
async function foldersOf(place: Place, settings: ProjectSettings, lister: Lister): Promise<readonly Folder[]> {
  const { within } = lister;
  const start = `${configPrefix(settings)}${place.folder}`;
  let folders: readonly Folder[] = isInside(within, start) || isInside(start, within) ? [{ path: start, names: [] }] : [];
  for (let level = 1; level < place.fields.length; level++) {
    const below: Folder[] = [];
    for (const { path, names } of folders) {
      const entries = await list(lister, path);
      if (isInside(within, path)) for (const finding of findStrays(entries, place, path, settings)) lister.report(finding);
      for (const { name, kind } of entries) {
        const inside = `${path}/${name}`;
        if (!isInside(within, inside) && !isInside(inside, within)) continue;
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

/** Reports files in folders below those that are read. */
async function reportBelow(
  entries: readonly DirectoryEntry[],
  place: Place,
  folder: string,
  settings: ProjectSettings,
  lister: Lister,
): Promise<void> {
  for (const { name, kind } of entries) {
    const inside = `${folder}/${name}`;
    if (kind !== 'directory' || name.startsWith('.') || !isInside(lister.within, inside)) continue;
    for (const finding of findStrays(await list(lister, inside), place, inside, settings)) lister.report(finding);
  }
}

/** Empty if the folder cannot be listed, which is reported. */
async function list({ files, report }: Lister, folder: string): Promise<readonly DirectoryEntry[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    report(unreadable(error));
    return [];
  }
}

function filesAmong(
  entries: readonly DirectoryEntry[],
  place: Place,
  { path, names }: Folder,
  settings: ProjectSettings,
): readonly KnownFile[] {
  return entries.flatMap(({ name }) => {
    const identity = identityAt(place, names, name, settings);
    return identity === undefined ? [] : [{ path: `${path}/${name}`, identity }];
  });
}
