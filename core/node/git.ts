import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { CommitFiles } from '../project/adapters.js';
import { maxFileBytes } from './openedFile.js';

export type GitBaseReason = 'no-git' | 'no-repository' | 'unknown-ref' | 'git-failed';

/** Git could not read files at a ref. The message says what to do. */
export class GitBaseError extends Error {
  override readonly name = 'GitBaseError';
  readonly reason: GitBaseReason;

  constructor(reason: GitBaseReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/**
 * A folder may hold files that git treats as a separate repository, with programs to run in its config: committed with the project, for example. Git
 * considers only a `.git`, and starts nothing that watches files.
 */
export const ownGitOnly = ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false'] as const;

/** The output of a short git command, without its last line end. */
export function git(
  folder: string,
  args: readonly string[],
  failed: (output: string) => GitBaseError,
  variables: NodeJS.ProcessEnv = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      [...ownGitOnly, ...args],
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
  return new GitBaseError('no-git', `Git cannot be started in ${folder}: ${error.message}. Install git.`, error);
}

export function notHere(folder: string, complaint: string): GitBaseError {
  if (/dubious ownership/.test(complaint)) {
    const advice = `git config --global --add safe.directory ${folder}`;
    return new GitBaseError(
      'no-repository',
      `Git does not trust the repository of ${folder}, which belongs to another user. If you do: ${advice}`,
    );
  }
  return new GitBaseError('no-repository', `${folder} is in no git repository, so there is nothing to compare with.`);
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
 * The files of a project folder that are staged. A rename counts as one removed file and one added file.
 *
 * @param folder absolute path of the project; it may be below the top of its repository
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

/**
 * Opens the files of `folder` as they were at `ref`: one `git` process serves all of them, and requests may overlap. The ref is
 * untrusted text: it is resolved to a commit id first and never read as an option. Reads objects only: no hooks, no filters, no network.
 *
 * @param folder absolute path of the project; it may be below the top of its repository, and gone
 * @param ref anything that names a commit: `HEAD`, `origin/main`, a tag, an id
 * @throws GitBaseError
 */
export async function openGitBase(folder: string, ref: string): Promise<CommitFiles> {
  const { existing, below } = placeOfFolder(folder);
  const prefix = (await git(existing, ['rev-parse', '--show-prefix'], (output) => notHere(folder, output))) + below;
  const commit = await findCommit(existing, ref);
  const child = spawn('git', [...ownGitOnly, 'cat-file', '--batch'], {
    cwd: existing,
    env: gitEnvironment(),
    stdio: 'pipe',
    windowsHide: true,
  });
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

/** A folder may be gone that a commit has: git runs in the nearest one that exists, where it is `below`, with a slash at its end. */
export function placeOfFolder(folder: string): { readonly existing: string; readonly below: string } {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const below = relative(existing, folder).split(sep).join('/');
  return { existing, below: below === '' ? '' : `${below}/` };
}

/** The id of the commit that a ref names now. @throws GitBaseError */
export async function findCommit(folder: string, ref: string): Promise<string> {
  if (ref.includes('\0') || ref.trim() === '') throw unknownRef(folder, ref, emptyWords);
  let commit = '';
  try {
    commit = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], () => unknownRef(folder, ref));
  } catch (error) {
    if (!(error instanceof GitBaseError) || error.reason !== 'unknown-ref') throw error;
    throw unknownRef(folder, ref, await adviceFor(folder, ref));
  }
  // `^main` is a valid argument too, whose result excludes that commit.
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw unknownRef(folder, ref);
  return commit;
}

function unknownRef(folder: string, ref: string, advice = 'Check its name, or fetch it first.'): GitBaseError {
  return new GitBaseError('unknown-ref', `Git knows no commit ${JSON.stringify(ref)} in ${folder}. ${advice}`);
}

/** The value in a GitHub workflow if the event has no such revision. */
const emptyWords =
  'In GitHub Actions, github.base_ref is empty on push events: compare with ${{ github.event.before }} there, or leave --base out.';

async function adviceFor(folder: string, ref: string): Promise<string | undefined> {
  if (/^0+$/.test(ref)) return 'On the first push of a branch, github.event.before names no commit: leave --base out.';
  if (ref.endsWith('/')) return emptyWords;
  const failed = () => unknownRef(folder, ref);
  if ((await git(folder, ['rev-list', '--all', '--max-count=1'], failed)) === '') return 'The repository has no commit yet.';
  return (await isShallow(folder)) ? `This clone is shallow. Fetch the whole history: ${wholeHistory}.` : undefined;
}

export async function isShallow(folder: string): Promise<boolean> {
  return (await git(folder, ['rev-parse', '--is-shallow-repository'], (complaint) => notHere(folder, complaint))) === 'true';
}

export const wholeHistory = '`fetch-depth: 0` for actions/checkout, `git fetch --unshallow origin` elsewhere';

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

interface Waiting {
  readonly resolve: (text: string | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Parses the output of `git cat-file --batch`: answers come in the order of the requests. */
export class BatchReader {
  private readonly waiting: Waiting[] = [];
  private failure: Error | undefined;
  /** Header line so far; undefined while in a body. */
  private header: string | undefined = '';
  private body: Buffer[] = [];
  /** Bytes of the body still to come, its closing line end included. */
  private missing = 0;
  private kept = false;

  /** The next answer. */
  expect(): Promise<string | undefined> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.header === undefined ? this.takeBody(rest) : this.takeHeader(this.header, rest);
  }

  /** All pending and future requests fail. Only the first failure counts. */
  fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.failure);
  }

  private takeHeader(before: string, rest: Buffer): Buffer {
    const end = rest.indexOf(0x0a);
    if (end < 0) {
      this.header = before + rest.toString('latin1');
      return rest.subarray(rest.length);
    }
    const line = before + rest.toString('latin1', 0, end);
    const blob = /^[0-9a-f]+ (\w+) (\d+)$/.exec(line);
    if (blob === null) {
      this.header = '';
      this.answer(undefined);
    } else {
      this.header = undefined;
      this.missing = Number(blob[2]) + 1;
      this.kept = blob[1] === 'blob' && this.missing <= maxFileBytes + 1;
    }
    return rest.subarray(end + 1);
  }

  private takeBody(rest: Buffer): Buffer {
    const part = rest.subarray(0, this.missing);
    if (this.kept) this.body.push(part);
    this.missing -= part.length;
    if (this.missing === 0) {
      const whole = Buffer.concat(this.body);
      this.answer(this.kept ? whole.toString('utf8', 0, whole.length - 1) : undefined);
      this.body = [];
      this.header = '';
    }
    return rest.subarray(part.length);
  }

  private answer(text: string | undefined): void {
    this.waiting.shift()?.resolve(text);
  }
}
