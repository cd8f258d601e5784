import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { CommitFiles } from '../project/adapters.js';
import { GitBaseError, git, gitEnvironment, notHere } from './gitProcess.js';
import { maxFileBytes } from './openedFile.js';

/**
 * Opens the files of `folder` as they were at `ref`: one `git` process answers for all of them, and requests may overlap. The ref is
 * untrusted text: it is resolved to a commit id first and never read as an option. Reads objects only: no hooks, no filters, no network.
 *
 * @param folder absolute path of the project; it may lie below the top of its repository
 * @param ref anything that names a commit: `HEAD`, `origin/main`, a tag, an id
 * @throws GitBaseError
 */
export async function openGitBase(folder: string, ref: string): Promise<CommitFiles> {
  const prefix = await git(folder, ['rev-parse', '--show-prefix'], (output) => notHere(folder, output));
  const commit = await findCommit(folder, ref);
  const child = spawn('git', ['cat-file', '--batch'], { cwd: folder, env: gitEnvironment(), stdio: 'pipe', windowsHide: true });
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
  if (ref.includes('\0') || ref.trim() === '') throw unknownRef(folder, ref, emptyWords);
  let commit = '';
  try {
    commit = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], () => unknownRef(folder, ref));
  } catch (error) {
    if (!(error instanceof GitBaseError) || error.reason !== 'unknown-ref') throw error;
    throw unknownRef(folder, ref, await adviceFor(folder, ref));
  }
  // `^main` is a legal question too, whose answer names all but that.
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw unknownRef(folder, ref);
  return commit;
}

function unknownRef(folder: string, ref: string, advice = 'Check its name, or fetch it first.'): GitBaseError {
  return new GitBaseError('unknown-ref', `Git knows no commit ${JSON.stringify(ref)} in ${folder}. ${advice}`);
}

/** What a workflow of GitHub gives where the event has no such revision. */
const emptyWords =
  'In GitHub Actions, github.base_ref is empty on push events: compare with ${{ github.event.before }} there, or leave --base out.';

async function adviceFor(folder: string, ref: string): Promise<string | undefined> {
  if (/^0+$/.test(ref)) return 'On the first push of a branch, github.event.before names no commit: leave --base out.';
  if (ref.endsWith('/')) return emptyWords;
  const isShallow = await git(folder, ['rev-parse', '--is-shallow-repository'], () => unknownRef(folder, ref));
  if (isShallow !== 'true') return undefined;
  return 'This clone is shallow. Fetch the whole history: `fetch-depth: 0` for actions/checkout, `git fetch --unshallow origin` elsewhere.';
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

interface Waiting {
  readonly resolve: (text: string | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Takes the output of `git cat-file --batch` apart: answers come in the order of the requests. */
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

  /** Everything asked for and everything to come fails. Only the first failure counts. */
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
