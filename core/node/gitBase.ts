import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { BatchReader } from './gitBatch.js';

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

/** The project's files as committed at a ref. Close it, or the process stays. */
export interface GitBase {
  /** The commit's full id. */
  readonly commit: string;
  /** A file's text there; undefined when it was not there, was no file or had more than 10 MB. @throws GitBaseError */
  readText(path: string): Promise<string | undefined>;
  close(): void;
}

/**
 * Opens the files of `folder` as they were at `ref`: one `git` process answers for all of them, and requests may overlap. The ref is
 * untrusted text: it is resolved to a commit id first and never read as an option. Reads objects only: no hooks, no filters, no network.
 *
 * @param folder absolute path of the project; it may lie below the top of its repository
 * @param ref anything that names a commit: `HEAD`, `origin/main`, a tag, an id
 * @throws GitBaseError
 */
export async function openGitBase(folder: string, ref: string): Promise<GitBase> {
  const prefix = await git(folder, ['rev-parse', '--show-prefix'], (output) => notHere(folder, output));
  const commit = await findCommit(folder, ref);
  const child = spawn('git', ['cat-file', '--batch'], { cwd: folder, env: environment(), stdio: 'pipe', windowsHide: true });
  const reader = new BatchReader();
  watch(child, reader);
  return {
    commit,
    readText(path) {
      // A request is one line; no config file has such a name.
      if (path.includes('\n')) return Promise.resolve(undefined);
      const answer = reader.expect();
      child.stdin.write(`${commit}:${prefix}${path}\n`);
      return answer;
    },
    close() {
      child.stdin.end();
      child.kill();
    },
  };
}

/** The id of the commit that a ref names now. @throws GitBaseError */
export async function findCommit(folder: string, ref: string): Promise<string> {
  const unknown = () =>
    new GitBaseError('unknown-ref', `Git knows no commit ${JSON.stringify(ref)} in ${folder}. Check its name, or fetch it first.`);
  if (ref.includes('\0') || ref.trim() === '') throw unknown();
  return git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], unknown);
}

function watch(child: ChildProcessWithoutNullStreams, reader: BatchReader): void {
  let complaint = '';
  const fail = (words: string, cause?: unknown) =>
    reader.fail(new GitBaseError('git-failed', `Git stopped while reading files: ${words}`, cause));
  child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-2000);
  });
  // Writing to a process that has ended is reported by its end.
  child.stdin.on('error', (error) => fail(error.message, error));
  child.on('error', (error) => fail(error.message, error));
  child.on('close', (status) => fail(complaint.trim() || `it ended with status ${status}.`));
}

/** One short git command's output without its last line end. */
function git(folder: string, args: readonly string[], failed: (output: string) => GitBaseError): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('git', args, { cwd: folder, env: environment(), encoding: 'utf8', windowsHide: true }, (error, output, complaint) => {
      if (error === null) resolve(output.replace(/\r?\n$/, ''));
      else if (typeof error.code === 'string') reject(notStarted(folder, error));
      else reject(failed(complaint.trim()));
    });
  });
}

function notStarted(folder: string, error: Error): GitBaseError {
  return new GitBaseError('no-git', `Git cannot be started in ${folder}: ${error.message}. Install git, or check without a base.`, error);
}

function notHere(folder: string, complaint: string): GitBaseError {
  if (/dubious ownership/.test(complaint)) {
    const advice = `git config --global --add safe.directory ${folder}`;
    return new GitBaseError(
      'no-repository',
      `Git does not trust the repository of ${folder}, which belongs to another user. If you do: ${advice}`,
    );
  }
  return new GitBaseError('no-repository', `${folder} is in no git repository, so there is no earlier state to compare with.`);
}

/** Found from the folder alone: in a git hook these variables point to the repository the hook runs for, relative to another folder. */
function environment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, GIT_PREFIX: _prefix, ...rest } = process.env;
  return { ...rest, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };
}
