import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Host, main } from '../../cli/main.js';

export const repository = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const cliFile = join(repository, 'dist', 'cli.cjs');

export interface Outcome {
  /** Null when a signal ended the process. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Stands for stdout or stderr where neither is a terminal. */
class CollectingStream extends Writable {
  readonly #chunks: Buffer[] = [];
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

export interface CallOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a pipe with the input. */
  readonly stdin?: Readable;
  /** The output is a terminal of this width. Default: it is a pipe. */
  readonly columns?: number;
  /** That of the built command, in this process all the same. Default: that of the sources. */
  readonly main?: typeof main;
}

/** Runs the command in this process, in an environment that holds nothing of ours, and waits for its end. */
export async function agentstack(args: readonly string[], options: CallOptions): Promise<Outcome> {
  const { input = '', columns, stdin = Readable.from([Buffer.from(input)]) } = options;
  const [stdout, stderr] = [new CollectingStream(), new CollectingStream()];
  if (columns !== undefined) for (const stream of [stdout, stderr]) Object.assign(stream, { isTTY: true, columns });
  const code = await runHere(args, options, { stdin, stdout, stderr });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A command in this process that works until nobody reads its output or its stdin ends. */
export interface RunningCommand {
  readonly stdin: PassThrough;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  /** Its exit code. */
  readonly ended: Promise<number>;
  /** Goes away as the reader of its output, and waits for its end. */
  leave(): Promise<number>;
}

/** Starts the command in this process. @param stdout takes its output instead of `stdout()`, for a client that reads it */
export function agentstackRunning(
  args: readonly string[],
  options: Omit<CallOptions, 'input' | 'columns'>,
  stdout: Writable = new CollectingStream(),
): RunningCommand {
  const [stdin, stderr] = [new PassThrough(), new CollectingStream()];
  const ended = runHere(args, options, { stdin, stdout, stderr });
  return {
    stdin,
    stdout: () => (stdout instanceof CollectingStream ? stdout.text : ''),
    stderr: () => stderr.text,
    ended,
    leave() {
      stdout.destroy(Object.assign(new Error('The pipe is broken.'), { code: 'EPIPE' }));
      return ended;
    },
  };
}

/** @returns the exit code */
async function runHere(
  args: readonly string[],
  { cwd, env, main: run = main }: CallOptions,
  streams: { readonly stdin: Readable; readonly stdout: Writable; readonly stderr: Writable },
): Promise<number> {
  // Only terminals have the rest of the methods that the types of `process` name.
  const host: Host = { ...(streams as unknown as Pick<Host, 'stdin' | 'stdout' | 'stderr'>), env: cleanEnvironment(env), cwd: () => cwd };
  await run(args, host);
  return Number(host.exitCode);
}

/** Runs the built command as a user does, and waits for its end: for what only a process has, such as pipes, signals and an exit code. */
export function agentstackProcess(args: readonly string[], options: CallOptions): Promise<Outcome> {
  const child = start(args, options);
  // A command that refuses its input early closes the pipe; its exit code says the rest.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  return outcomeOf(child);
}

/** Starts the command without waiting; stdin stays open. */
export function start(args: readonly string[], { cwd, env }: CallOptions): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [cliFile, ...args], { cwd, env: cleanEnvironment(env) });
}

export function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout: Buffer.concat(chunks.stdout).toString('utf8'), stderr: Buffer.concat(chunks.stderr).toString('utf8') });
    });
  });
}

/** The user's own settings, which hold what they trust. */
const settings = join(tmpdir(), `agent-stack-settings-${process.pid}`);

export function cleanEnvironment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = '', HOME = '', SystemRoot = '' } = process.env;
  return { PATH, HOME, SystemRoot, XDG_CONFIG_HOME: settings, LC_ALL: 'C.UTF-8', ...env };
}

/** A temporary project whose path has a space and letters beyond ASCII. Files that are no strings are written as JSON. */
export function temporaryProject(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent stack prüfung 試-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) write(folder, path, content);
  return folder;
}

export function write(folder: string, path: string, content: unknown): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(join(folder, path), isRaw ? content : `${JSON.stringify(content, null, 2)}\n`);
}

export function read(folder: string, path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}

/** Every file below a folder, as paths from it, sorted. */
export function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

export const offlineProfile = { llm_id: 'offline', provider: 'offline', model_name: 'offline' };

/** A small agent without faults. */
export const toneAgent = {
  agent_name: 'Tone',
  version: 'v1',
  mode: 'Chooser',
  system_text: 'You judge how a text sounds.',
  purpose_text: 'Choose the tone.',
  input_keys: ['text'],
  output_schema: {
    type: 'object',
    additionalProperties: false,
    required: ['tone'],
    properties: { tone: { type: 'string', enum: ['friendly', 'formal'] } },
  },
  enums: { tone: ['friendly', 'formal'] },
};

/** A project with the agent Tone, the offline profile and one case. */
export function toneProject(files: Readonly<Record<string, unknown>> = {}): string {
  return temporaryProject({
    'config/agents/Tone/v1.json': toneAgent,
    'config/llms/offline.json': offlineProfile,
    'config/payloads/Tone/greeting.json': { input: { text: 'A friendly hello to all of you' } },
    ...files,
  });
}
