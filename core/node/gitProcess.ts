import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

export type GitBaseReason = 'no-git' | 'no-repository' | 'unknown-ref' | 'git-failed';

/** Git could not say how files were at a ref. The message says what to do. */
export class GitBaseError extends Error {
  override readonly name = 'GitBaseError';
  readonly reason: GitBaseReason;

  constructor(reason: GitBaseReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** One short git command's output without its last line end. */
export function git(
  folder: string,
  args: readonly string[],
  failed: (output: string) => GitBaseError,
  variables: NodeJS.ProcessEnv = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      args,
      { cwd: folder, maxBuffer: 64 * 1024 * 1024, env: { ...gitEnvironment(), ...variables }, encoding: 'utf8', windowsHide: true },
      (error, output, complaint) => {
        if (error === null) resolve(output.replace(/\r?\n$/, ''));
        else if (typeof error.code === 'string') reject(notStarted(folder, error));
        else reject(failed(complaint.trim()));
      },
    );
  });
}

function notStarted(folder: string, error: Error): GitBaseError {
  return new GitBaseError('no-git', `Git cannot be started in ${folder}: ${error.message}. Install git, or check without a base.`, error);
}

export function notHere(folder: string, complaint: string): GitBaseError {
  if (/dubious ownership/.test(complaint)) {
    const advice = `git config --global --add safe.directory ${folder}`;
    return new GitBaseError(
      'no-repository',
      `Git does not trust the repository of ${folder}, which belongs to another user. If you do: ${advice}`,
    );
  }
  return new GitBaseError(
    'no-repository',
    `${folder} is in no git repository, so there is nothing to compare with, and nothing is staged.`,
  );
}

/** Found from the folder alone: in a git hook these variables point to the repository the hook runs for, relative to another folder. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, GIT_PREFIX: _prefix, ...rest } = process.env;
  return { ...rest, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };
}

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
