import { FileProblem, type FileSystem, type OpenedFile, type Ports } from '../../ports.js';
import { isClosedFolder, isSecretFile, refusalOfOpened } from '../../secrets/secretFiles.js';
import { coverSecrets } from '../../secrets/secretPatterns.js';
import type { ToolOutcome } from '../types.js';

/** The ports of tools that read files. */
export type FilePorts = Pick<Ports, 'files' | 'clock'>;

/** Folders without sources of this project, which are not searched. */
const ignoredFolders: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__']);
/** Longest path on any system, in UTF-16 units. */
const longestPath = 4096;

/** Entries visited in one search, including folders. */
const mostEntries = 50_000;
/** Levels of folders: a link to a parent folder would be endless. */
const deepest = 32;
/** Files read in a row before a pause. */
const filesBetweenPauses = 100;
/** Longest time of one search, in ms; it then returns its results so far. */
const longestSearch = 10_000;
/** Longer files are not searched, in UTF-16 units. */
const longestSearched = 2_000_000;

/** A tool's path as a project path; undefined if it leaves the project. The project itself is the empty path. */
export function toProjectPath(toolPath: string): string | undefined {
  if (/^(?:[\\/]|[A-Za-z]:)/.test(toolPath) || toolPath.length > longestPath) return undefined;
  const segments = toolPath.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') || toolPath.includes('\0') ? undefined : segments.join('/');
}

/** What a walk through the files skipped. */
export interface Walk {
  /** False if there were more files than one search may visit, or has time for. */
  complete: boolean;
  /** Number of files that were skipped because they are too long. */
  tooLong: number;
  /** Number of files that were skipped because they have several names. */
  linked: number;
}

export function newWalk(): Walk {
  return { complete: true, tooLong: 0, linked: 0 };
}

/** What a walk skipped, in sentences for the model. */
export function leftOut({ complete, tooLong, linked }: Walk): readonly string[] {
  return [
    ...(complete ? [] : ['The project is too large for one search: name a path.']),
    ...(tooLong > 0 ? [`${tooLong} very long ${tooLong === 1 ? 'file was' : 'files were'} not searched.`] : []),
    ...(linked > 0
      ? [`${linked} ${linked === 1 ? 'file' : 'files'} with several names (hard links) ${linked === 1 ? 'was' : 'were'} not searched.`]
      : []),
  ];
}

/**
 * The text files below `path`, or the file itself, folder by folder in order of names, each with its text. Skips ignored folders, files of
 * secrets, records of runs, binary and unreadable files, and links: their targets are searched in their own place.
 * @throws the signal's reason; FileProblem if `path` itself cannot be listed
 */
export async function* walkFiles(
  { files, clock }: FilePorts,
  path: string,
  signal: AbortSignal,
  walk: Walk,
): AsyncGenerator<{ readonly path: string; readonly text: string }, void, undefined> {
  if (path !== '') {
    const read = await readForSearch(files, path, walk);
    if (typeof read === 'string') yield { path, text: read };
    if (read !== notAFile) return;
  }
  const deadline = clock.monotonic() + longestSearch;
  let entries = 0;
  let filesRead = 0;
  const open = [path];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const below: string[] = [];
    for (const { name, kind, isLink } of await listed(files, folder, path)) {
      entries += 1;
      if (entries > mostEntries || clock.monotonic() > deadline) {
        walk.complete = false;
        return;
      }
      if (isLink) continue;
      const place = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory') {
        if (!ignoredFolders.has(name.toLowerCase()) && !isClosedFolder(name) && place.split('/').length < deepest) below.push(place);
        continue;
      }
      if (kind !== 'file' || isSecretFile(place)) continue;
      filesRead += 1;
      // Reading is synchronous: without a pause, it could not be cancelled and would block everything else.
      if (filesRead % filesBetweenPauses === 0) await clock.sleep(0, signal);
      signal.throwIfAborted();
      const text = await readForSearch(files, place, walk);
      if (typeof text === 'string' && !isRecordOfRun(text)) yield { path: place, text };
    }
    open.push(...below.reverse());
  }
}

/** An unreadable subfolder hides only its own files. */
async function listed(files: FileSystem, folder: string, root: string) {
  try {
    return await files.list(folder);
  } catch (error) {
    if (error instanceof FileProblem && folder !== root) return [];
    throw error;
  }
}

const notAFile = Symbol('a folder, or nothing');

/** Undefined for a file that is skipped. */
async function readForSearch(files: FileSystem, path: string, walk: Walk): Promise<string | typeof notAFile | undefined> {
  let opened: OpenedFile;
  try {
    opened = await files.readOpened(path);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    if (error.reason === 'too-large') walk.tooLong += 1;
    return error.reason === 'is-directory' || error.reason === 'not-found' ? notAFile : undefined;
  }
  const { text } = opened;
  if (refusalOfOpened(path, opened) !== undefined) {
    if (opened.names > 1) walk.linked += 1;
    return undefined;
  }
  if (text.length > longestSearched) {
    walk.tooLong += 1;
    return undefined;
  }
  return isBinary(text) ? undefined : text;
}

/** Text has no NUL; a file that is not UTF-8 was refused before. */
export function isBinary(text: string): boolean {
  return text.slice(0, 8192).includes('\0');
}

/**
 * Whether a text is a record of a run (`--record`), by its first words. It repeats all results of its run, and a run that is recorded into the
 * project would find itself. It is searched only if it is named.
 */
function isRecordOfRun(text: string): boolean {
  return text.startsWith('{"format":1,"agent_name":"');
}

/** How far around a part secrets are searched for: one may begin before it, and a private key is long. */
const margin = 16 * 1024;

/** A part of a text with every secret in it masked, including one that begins before it or ends after it. */
export function coveredStretch(text: string, start: number, end: number): string {
  const from = Math.max(0, start - margin);
  return coverSecrets(text.slice(from, end + margin)).slice(start - from, end - from);
}

export function failed(content: string): ToolOutcome {
  return { content, is_error: true };
}
