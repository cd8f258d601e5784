import { existsSync, type FSWatcher, readFileSync, statSync, watch } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findCommit, GitBaseError, openGitBase } from './git.js';

/** The files of a project as of the last commit, for a long-lived process such as an editor. */
export interface CommittedFiles {
  /** Texts at HEAD by path; files that did not exist are left out. Empty if git cannot tell: no git, no commit yet, or an untrusted repository. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Stops all notifications. */
  close(): void;
}

/** Milliseconds after which git is killed: it may wait for a disk, or for a stale lock. */
const patience = 10_000;

/**
 * Opens the committed files of `folder`. No process outlives a `read`, and none is started in a folder outside any repository.
 *
 * @param onMoved called when HEAD is another commit than in the last `read`, as far as the system reports changes in the repository's folder
 * @returns undefined if the folder is not in a repository
 */
export function openCommittedFiles(folder: string, onMoved: () => void): CommittedFiles | undefined {
  const gitFolder = findGitFolder(folder);
  if (gitFolder === undefined) return undefined;
  let commit: string | undefined;
  let state: 'idle' | 'looking' | 'again' | 'closed' = 'idle';
  const look = async () => {
    if (state === 'looking') state = 'again';
    if (state !== 'idle') return;
    do {
      state = 'looking';
      const now = await orNothing(() => findCommit(folder, 'HEAD'));
      if (isClosed()) return;
      if (now !== commit) onMoved();
    } while (isAgain());
    state = 'idle';
  };
  // Functions, since both may have changed while git was running.
  const isClosed = () => state === 'closed';
  const isAgain = () => state === 'again';
  const watcher = watchFolder(gitFolder, () => void look());
  return {
    async read(paths) {
      const base = await orNothing(() => openGitBase(folder, 'HEAD'));
      commit = base?.commit;
      if (base === undefined) return new Map();
      const timer = setTimeout(() => base.close(), patience).unref();
      try {
        const texts = await orNothing(() => Promise.all(paths.map(async (path) => [path, await base.readText(path)] as const)));
        return new Map(texts?.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const])));
      } finally {
        clearTimeout(timer);
        base.close();
      }
    },
    close() {
      state = 'closed';
      watcher?.close();
    },
  };
}

/** A git error is not the user's error: there is just nothing to compare with. */
async function orNothing<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GitBaseError) return undefined;
    throw error;
  }
}

/** Where the repository around a folder keeps HEAD: a folder, or what a file of that name points to (worktrees, submodules). */
function findGitFolder(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const place = join(at, '.git');
    if (existsSync(place)) return followed(place);
    if (dirname(at) === at) return undefined;
  }
}

function followed(place: string): string | undefined {
  try {
    if (statSync(place).isDirectory()) return place;
    const target = /^gitdir: (.+)$/m.exec(readFileSync(place, 'utf8'))?.[1];
    return target === undefined ? undefined : resolve(dirname(place), target.trim());
  } catch (error) {
    // Removed meanwhile, or not readable.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}

/** Commits, resets and other branches are detected by what git writes directly in this folder. */
function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || !/\.lock$|^FETCH_HEAD$/.test(name)) onChange();
    });
    // The folder is gone, or the system stopped watching: the known state stays until a file is opened.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
