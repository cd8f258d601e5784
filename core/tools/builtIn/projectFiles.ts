import { FileProblem, type FileSystem, type OpenedFile, type Ports } from '../../ports.js';
import { isClosedFolder, isSecretFile, refusalOfOpened } from '../../secrets/secretFiles.js';
import { coverSecrets } from '../../secrets/secretPatterns.js';
import type { ToolOutcome } from '../types.js';

/** What the tools that look at files work with. */
export type FilePorts = Pick<Ports, 'files' | 'clock'>;

/** Folders that are not searched: they hold no sources of this project. */
const ignoredFolders: ReadonlySet<string> = new Set(['node_modules', '.venv', '__pycache__']);
/** Longer paths name nothing on any system, in UTF-16 units. */
const longestPath = 4096;

/** Entries looked at in one search, folders too. */
const mostEntries = 50_000;
/** Levels of folders; a link to a folder above would have no end. */
const deepest = 32;
/** Searched files are read one after the other, without a pause up to so many. */
const filesBetweenPauses = 100;
/** One search may take so long, in ms; what was found by then is told. */
const longestSearch = 10_000;
/** Files above this are not searched, in UTF-16 units. */
const longestSearched = 2_000_000;

/** A path as a tool's input names it, in the form of the project; undefined when it leaves the project. The project itself is empty. */
export function toProjectPath(written: string): string | undefined {
  if (/^(?:[\\/]|[A-Za-z]:)/.test(written) || written.length > longestPath) return undefined;
  const segments = written.split(/[\\/]/).filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') || written.includes('\0') ? undefined : segments.join('/');
}

/** How a walk through the files went. */
export interface Walk {
  /** False when there were more files than one search looks at, or has the time for. */
  complete: boolean;
  /** Files that were left out because they are too long. */
  tooLong: number;
  /** Files that were left out because they have several names. */
  linked: number;
}

export function newWalk(): Walk {
  return { complete: true, tooLong: 0, linked: 0 };
}

/** What a walk has not looked at, in words for the model. */
export function leftOut({ complete, tooLong, linked }: Walk): readonly string[] {
  return [
    ...(complete ? [] : ['The project is too large to be searched whole: name a path.']),
    ...(tooLong > 0 ? [`${tooLong} very long ${tooLong === 1 ? 'file was' : 'files were'} not searched.`] : []),
    ...(linked > 0
      ? [`${linked} ${linked === 1 ? 'file' : 'files'} with several names (hard links) ${linked === 1 ? 'was' : 'were'} not searched.`]
      : []),
  ];
}

/**
 * The text files below `path` (a file is itself), folder by folder in order of names, each with its text. Left out are ignored folders,
 * files that hold secrets, records of runs, binary files, files that cannot be read, and links: what they lead to is searched where it is.
 * @throws the signal's reason; FileProblem when `path` itself cannot be listed
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
    if (read !== noFile) return;
  }
  const deadline = clock.monotonic() + longestSearch;
  let entries = 0;
  let seen = 0;
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
      seen += 1;
      // Reading is synchronous: without a pause it could not be cancelled, and nothing else would go on.
      if (seen % filesBetweenPauses === 0) await clock.sleep(0, signal);
      signal.throwIfAborted();
      const text = await readForSearch(files, place, walk);
      if (typeof text === 'string' && !isRecordOfRun(text)) yield { path: place, text };
    }
    open.push(...below.reverse());
  }
}

/** A folder further down that cannot be read hides its own files only. */
async function listed(files: FileSystem, folder: string, root: string) {
  try {
    return await files.list(folder);
  } catch (error) {
    if (error instanceof FileProblem && folder !== root) return [];
    throw error;
  }
}

const noFile = Symbol('a folder, or nothing');

/** Undefined for a file that is not searched. */
async function readForSearch(files: FileSystem, path: string, walk: Walk): Promise<string | typeof noFile | undefined> {
  let opened: OpenedFile;
  try {
    opened = await files.readOpened(path);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    if (error.reason === 'too-large') walk.tooLong += 1;
    return error.reason === 'is-directory' || error.reason === 'not-found' ? noFile : undefined;
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

/** Text holds no NUL; what is not UTF-8 was refused before. */
export function isBinary(text: string): boolean {
  return text.slice(0, 8192).includes('\0');
}

/**
 * Whether a text is a record of a run (`--record`), by its first words. It repeats whatever its run found, and a run that is recorded into the
 * project would find itself. It is searched only where it is named.
 */
function isRecordOfRun(text: string): boolean {
  return text.startsWith('{"format":1,"agent_name":"');
}

/** How far around a stretch secrets are looked for: one may begin before it, and a private key is long. */
const margin = 16 * 1024;

/** A stretch of a text with every secret in it covered, also one that begins before it or ends behind it. */
export function coveredStretch(text: string, start: number, end: number): string {
  const from = Math.max(0, start - margin);
  return coverSecrets(text.slice(from, end + margin)).slice(start - from, end - from);
}

export function failed(content: string): ToolOutcome {
  return { content, is_error: true };
}
