import { posix } from 'node:path';
import { type DirectoryEntry, FileProblem, type FileSystem } from '../ports.js';
import { findCommit, GitBaseError, git, isShallow, openGitBase, placeOfFolder, wholeHistory } from './git.js';

/** The files of a project as they were at a commit, read-only. Close it to end its process. */
export interface CommitFileSystem {
  /** The full id. */
  readonly commit: string;
  readonly files: FileSystem;
  /** Paths that are in the commit, and whose content is not. */
  readonly submodules: readonly string[];
  /** Links that lead to nothing of the project. */
  readonly brokenLinks: readonly string[];
  close(): void;
}

/**
 * Opens a project as of a commit. A link is followed to another file or folder of the same commit, and to nothing else.
 *
 * @param folder absolute path of the project; it may be below the top of its repository
 * @param ref anything that names a commit
 * @throws GitBaseError
 */
export async function openCommitFileSystem(folder: string, ref: string): Promise<CommitFileSystem> {
  const base = await openGitBase(folder, ref);
  try {
    const { existing, below } = placeOfFolder(folder);
    const listing = ['ls-tree', '-r', '-z', base.commit, ...(below === '' ? [] : ['--', below])];
    const tree = readTree(await git(existing, listing, (complaint) => new GitBaseError('git-failed', complaint)), below);
    const links = new Map<string, string>();
    for (const path of tree.links) links.set(path, besideLink(path, (await base.readText(path)) ?? ''));
    const targetOf = (path: string): string | undefined => {
      let at = path;
      // As many as Linux follows.
      for (let steps = 0; steps < 40; steps += 1) {
        const link = links.size === 0 ? undefined : withFolders(at).find((part) => links.has(part));
        if (link === undefined) return tree.files.has(at) || tree.folders.has(at) ? at : undefined;
        at = posix.join(links.get(link) ?? '', at.slice(link.length));
      }
      return undefined;
    };
    const readText = async (path: string): Promise<string> => {
      const target = targetOf(path);
      const text = target === undefined ? undefined : await base.readText(target);
      if (text !== undefined) return text;
      if (target === undefined || tree.folders.has(target)) throw new FileProblem('not-found', path, `${path} does not exist at ${ref}.`);
      throw new FileProblem('too-large', path, `${path} has more than 10 MB at ${ref}.`);
    };
    return {
      commit: base.commit,
      submodules: tree.submodules,
      brokenLinks: tree.links.filter((path) => targetOf(path) === undefined),
      files: {
        readText,
        readOpened: async (path) => ({ text: await readText(path), path: targetOf(path) ?? path, names: 1 }),
        list(directory) {
          const folder = targetOf(directory) ?? directory;
          return (tree.folders.get(folder) ?? []).map((entry) => entryOf(folder, entry, tree, targetOf));
        },
        writeText: refuse,
        appendText: refuse,
      },
      close: () => base.close(),
    };
  } catch (error) {
    base.close();
    throw error;
  }
}

interface Tree {
  readonly files: ReadonlySet<string>;
  readonly links: readonly string[];
  readonly submodules: readonly string[];
  /** By path, the empty one for the project itself; entries by name. */
  readonly folders: ReadonlyMap<string, readonly TreeEntry[]>;
}

interface TreeEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link' | 'submodule';
}

/** @param output of `git ls-tree -r -z`: `mode type id TAB path NUL` @param below what each path begins with */
function readTree(output: string, below: string): Tree {
  const files = new Set<string>();
  const links: string[] = [];
  const submodules: string[] = [];
  const folders = new Map<string, Map<string, TreeEntry>>();
  const add = (path: string, type: TreeEntry['type']): void => {
    const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
    let entries = folders.get(folder);
    if (entries === undefined) {
      entries = new Map();
      folders.set(folder, entries);
      if (folder !== '') add(folder, 'directory');
    }
    entries.set(posix.basename(path), { name: posix.basename(path), type });
  };
  for (const line of output.split('\0')) {
    const [, mode, listed] = /^(\d+) \w+ [0-9a-f]+\t(.+)$/s.exec(line) ?? [];
    if (listed === undefined) continue;
    const path = listed.slice(below.length);
    const type = mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file';
    if (type === 'file') files.add(path);
    else if (type === 'link') links.push(path);
    else submodules.push(path);
    add(path, type);
  }
  const sorted = [...folders].map(([folder, entries]) => [folder, [...entries.values()].sort(byName)] as const);
  return { files, links, submodules, folders: new Map(sorted) };
}

function byName(left: TreeEntry, right: TreeEntry): number {
  return left.name < right.name ? -1 : 1;
}

function entryOf(
  directory: string,
  { name, type }: TreeEntry,
  { folders }: Tree,
  targetOf: (path: string) => string | undefined,
): DirectoryEntry {
  if (type === 'file' || type === 'directory') return { name, kind: type };
  if (type === 'submodule') return { name, kind: 'other' };
  const target = targetOf(posix.join(directory, name));
  return { name, kind: target === undefined ? 'other' : folders.has(target) ? 'directory' : 'file', isLink: true };
}

/** The place that a link leads to; outside of the project for an absolute one, wherever the repository is. */
function besideLink(path: string, target: string): string {
  return posix.isAbsolute(target) ? '..' : posix.join(posix.dirname(path), target);
}

/** A path after the folders above it: `a`, `a/b`, `a/b/c`. */
function withFolders(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

function refuse(path: string): never {
  throw new FileProblem('no-permission', path, `${path} belongs to a commit, which nothing changes.`);
}

/**
 * The commit that work in a folder began from: the merge base of HEAD with the default branch of `origin`, or with a local `main` or `master`.
 *
 * @throws GitBaseError where there is none, or a shallow clone does not reach it
 */
export async function findMergeBase(folder: string): Promise<{ readonly commit: string; readonly branch: string }> {
  const { existing } = placeOfFolder(folder);
  // Says what is wrong with the folder or HEAD itself.
  const shallow = await isShallow(existing);
  await findCommit(existing, 'HEAD');
  const branch = await defaultBranch(existing, shallow);
  const commit = await git(existing, ['merge-base', 'HEAD', branch], () => notReached(branch));
  return { commit, branch };
}

async function defaultBranch(folder: string, shallow: boolean): Promise<string> {
  const missing = () =>
    new GitBaseError(
      'unknown-ref',
      `There is no default branch to compare with, neither origin/HEAD nor main nor master. ${shallow ? `This clone is shallow and has one branch: fetch all, with the whole history (${wholeHistory}), or name` : 'Name'} a commit: --base REF.`,
    );
  const remote = await git(folder, ['rev-parse', '--abbrev-ref', '--verify', '--quiet', 'origin/HEAD'], missing).catch(unlessMissing);
  if (remote !== undefined && remote !== '') return remote;
  for (const name of ['origin/main', 'origin/master', 'main', 'master']) {
    const found = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], missing).catch(
      unlessMissing,
    );
    if (found !== undefined) return name;
  }
  throw missing();
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof GitBaseError && error.reason === 'unknown-ref') return undefined;
  throw error;
}

function notReached(branch: string): GitBaseError {
  return new GitBaseError(
    'unknown-ref',
    `HEAD and ${branch} have no common commit here. A shallow clone does not reach it: ${wholeHistory}. Or name a commit: --base REF.`,
  );
}
