import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { holdsMarkedFile, type Looker } from '../config/projectFolders.js';

/**
 * The project that `from` (a folder or a file) belongs to: the nearest folder upwards that holds `agentstack.json` or, in the folders of its
 * `config`, a file that was written for Agent Stack, as an absolute path; undefined if there is none up to the root of the disk.
 */
export function findProject(from: string): string | undefined {
  return nearest(from, isProject);
}

/** The repository that a folder is in: the nearest folder upwards that holds `.git`; undefined if there is none. */
export function findRepository(from: string): string | undefined {
  return nearest(from, (folder) => statSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined);
}

function nearest(from: string, fits: (folder: string) => boolean): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (fits(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether a folder is a project itself. */
export function isProject(folder: string): boolean {
  return kindOf(join(folder, 'agentstack.json')) === 'file' || holdsMarkedFile(join(folder, 'config'), looker);
}

/** What cannot be read counts as missing. Links count as what they lead to. */
const looker: Looker = {
  list: (folder) =>
    orNothing(() => readdirSync(folder).map((name) => ({ name, kind: kindOf(join(folder, name)) ?? 'other' }) as const)) ?? [],
  read: (path) => orNothing(() => readFileSync(path, 'utf8')),
};

function kindOf(path: string): 'file' | 'directory' | undefined {
  const stats = orNothing(() => statSync(path));
  return stats?.isFile() ? 'file' : stats?.isDirectory() ? 'directory' : undefined;
}

/** A path that cannot be examined (no permission, below a file) gives nothing. */
function orNothing<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
