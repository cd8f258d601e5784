import ignore, { type Ignore } from 'ignore';
import { otherTools } from '../otherTools/index.js';
import type { OwnFile } from '../otherTools/toolFiles.js';
import { type DirectoryEntry, FileProblem, type FileSystem } from '../ports.js';
import { plural } from '../words.js';

/** A file in a place of another tool. */
export interface FoundFile {
  /** The id of the tool. */
  readonly tool: string;
  readonly kind: OwnFile;
  /** Project path. */
  readonly path: string;
  /** As of a `ToolFile`. */
  readonly folder: string;
}

export interface FoundFiles {
  /** By path. */
  readonly files: readonly FoundFile[];
  readonly unseen?: string;
}

type Files = Pick<FileSystem, 'list' | 'readText'>;

/** Folders of installed packages and of what is built. */
export const skipped: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  '__pycache__',
  'venv',
  'dist',
  'build',
  'target',
]);

const most = { folders: 20_000, files: 10_000 };

/** The kinds of files that tools keep in their own places. */
export const ownFiles = otherTools.flatMap((tool) =>
  (tool.files ?? []).map((kind) => ({ tool: tool.id, kind, pattern: patternOf(kind.place) })),
);

/** Folders with a dot in front in which tools keep files. */
const dotFolders: ReadonlySet<string> = new Set(ownFiles.flatMap(({ kind }) => /^(\.[^/]+)\//.exec(kind.place)?.[1] ?? []));

function patternOf(place: string): RegExp {
  const escaped = place.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\*\*\/|\*/g, (wild) => (wild === '*' ? '[^/]*' : '(?:.+/)?'))}$`);
}

/** The tool whose file a path is, seen from each folder around it; undefined for every other file. */
export function toolFileAt(path: string): FoundFile | undefined {
  const segments = path.split('/');
  for (let depth = 0; depth < segments.length; depth++) {
    const inside = segments.slice(depth).join('/');
    const own = ownFiles.find(({ pattern }) => pattern.test(inside));
    if (own !== undefined) return { tool: own.tool, kind: own.kind, path, folder: segments.slice(0, depth).join('/') };
  }
  return undefined;
}

/**
 * The files of other tools in a project folder and those below it. Folders that a `.gitignore` names are not entered, nor those of packages and
 * builds, nor links; of folders with a dot in front, only those in which tools keep files.
 *
 * @param skip project paths of folders that are left out
 */
export async function findToolFiles(files: Files, skip: readonly string[] = []): Promise<FoundFiles> {
  const toolFiles: FoundFile[] = [];
  const unlisted: string[] = [];
  const done = (limit?: string): FoundFiles => {
    const reasons = [...(limit === undefined ? [] : [limit]), ...unlistedWords(unlisted)];
    return {
      files: toolFiles.sort((left, right) => (left.path < right.path ? -1 : 1)),
      ...(reasons.length > 0 && { unseen: reasons.join(' ') }),
    };
  };
  let folders: readonly Folder[] = [{ path: '', inTool: false, ignores: [] }];
  for (let count = 0; folders.length > 0; ) {
    const below: Folder[] = [];
    for (const folder of folders) {
      count += 1;
      if (count > most.folders) return done(`More than ${most.folders} folders: those that are nested most deeply were not searched.`);
      if (toolFiles.length > most.files) return done(`More than ${most.files} files of other tools: the others were not checked.`);
      const entries = await list(files, folder.path, unlisted);
      const ignores = await ignoresIn(files, folder, entries);
      for (const { name, kind, isLink } of entries) {
        const path = folder.path === '' ? name : `${folder.path}/${name}`;
        if (kind === 'file') {
          const file = toolFileAt(path);
          if (file !== undefined && !isIgnored(path, ignores)) toolFiles.push(file);
        } else if (
          kind === 'directory' &&
          isLink !== true &&
          isEntered(folder, name) &&
          !skip.includes(path) &&
          !isIgnored(`${path}/`, ignores)
        )
          below.push({ path, inTool: folder.inTool || name.startsWith('.'), ignores });
      }
    }
    folders = below;
  }
  return done();
}

interface Folder {
  readonly path: string;
  /** Whether it is a folder of a tool, or below one. */
  readonly inTool: boolean;
  readonly ignores: readonly { readonly folder: string; readonly rules: Ignore }[];
}

function isEntered({ inTool }: Folder, name: string): boolean {
  return name.startsWith('.') ? !inTool && dotFolders.has(name) : !skipped.has(name);
}

function isIgnored(path: string, ignores: Folder['ignores']): boolean {
  return ignores.some(({ folder, rules }) => rules.ignores(folder === '' ? path : path.slice(folder.length + 1)));
}

async function ignoresIn(files: Files, { path, ignores }: Folder, entries: readonly DirectoryEntry[]): Promise<Folder['ignores']> {
  if (!entries.some(({ name, kind }) => name === '.gitignore' && kind === 'file')) return ignores;
  try {
    const text = await files.readText(path === '' ? '.gitignore' : `${path}/.gitignore`);
    return [...ignores, { folder: path, rules: ignore().add(text) }];
  } catch (error) {
    if (error instanceof FileProblem) return ignores;
    throw error;
  }
}

/** Of several folders the first, and how many there are. */
function unlistedWords(folders: readonly string[]): readonly string[] {
  const [first] = folders;
  if (first === undefined) return [];
  const rest = folders.length === 1 ? '' : ` and ${plural(folders.length - 1, 'other folder')}`;
  return [`The files in ${first}${rest} could not be listed, and were not checked.`];
}

/** @param unlisted gets the folder if it cannot be listed */
async function list(files: Files, folder: string, unlisted: string[]): Promise<readonly DirectoryEntry[]> {
  try {
    return await files.list(folder);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    unlisted.push(folder === '' ? 'this folder' : folder);
    return [];
  }
}
