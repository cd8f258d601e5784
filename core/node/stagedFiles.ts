import { resolve } from 'node:path';
import { git, notHere } from './gitProcess.js';

/** A file of a project that the next commit changes. */
export interface StagedFile {
  /** Project path. */
  readonly path: string;
  /** Whether the commit adds or removes it. */
  readonly isNew: boolean;
}

/**
 * The files of a project folder that are staged. A rename is a file that is removed and one that is added.
 *
 * @param folder absolute path of the project; it may lie below the top of its repository
 * @throws GitBaseError
 */
export async function listStagedFiles(folder: string): Promise<readonly StagedFile[]> {
  const args = ['diff', '--cached', '--name-status', '--no-renames', '--relative', '--no-ext-diff', '-z'];
  const output = await git(folder, args, (complaint) => notHere(folder, complaint), await hookIndex(folder));
  const words = output.split('\0');
  const staged: StagedFile[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) staged.push({ path: words[at + 1]!, isNew: words[at] !== 'M' });
  return staged;
}

/** In a hook, git names the index of the commit: with `git commit FILE` a temporary one, and often relative to the top of the repository. */
async function hookIndex(folder: string): Promise<NodeJS.ProcessEnv> {
  const { GIT_INDEX_FILE: index } = process.env;
  if (index === undefined) return {};
  const top = await git(folder, ['rev-parse', '--show-toplevel'], (complaint) => notHere(folder, complaint));
  return { GIT_INDEX_FILE: resolve(top, index) };
}
