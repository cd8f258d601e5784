import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Environment, Processes, ProcessOptions, RunningProcess } from '../ports.js';
import { windowsProgram } from './windowsProgram.js';

/** Variables a program is started with in addition to its own `env`: paths and language, and nothing secret. */
const inherited: readonly string[] =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'COMSPEC',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'NUMBER_OF_PROCESSORS',
        'PATH',
        'PATHEXT',
        'PROCESSOR_ARCHITECTURE',
        'PROGRAMDATA',
        'PROGRAMFILES',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'TMP',
        'USERNAME',
        'USERPROFILE',
        'WINDIR',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

/** Default time for a program to end by itself, in ms. */
const defaultGrace = 2000;
/** How long to check for remains of a killed program, in ms: the system needs a moment. */
const lastLook = 1000;
/** Time between two checks whether something is left, in ms. */
const pause = 25;
/** Environment variable shared by a program and everything it starts, used to find processes that have left its process group. */
const markName = 'AGENTSTACK_PROCESS';
const hasProc = process.platform === 'linux' && existsSync('/proc/self/environ');

/**
 * Starts programs in the project folder `root`, without a shell. Everything a program starts ends with it: on Windows its process
 * tree (`taskkill /T`), elsewhere its process group, and on Linux also processes that left the group (`setsid`, daemons), found by a mark in their
 * environment. All of them end with this process, however it ends, except by SIGKILL: then they see their input closed.
 */
export function createNodeProcesses(root: string, environment: Environment): Processes {
  return {
    get folder() {
      return realFolder(root) ?? root;
    },
    get baseEnvironment() {
      return baseEnvironment(environment);
    },
    start(options) {
      const real = this.folder;
      const place = realFolder(join(real, options.cwd));
      if (place === undefined) return failed(`its folder ${options.cwd} does not exist`);
      if (place !== real && !place.startsWith(real + sep)) return failed(`its folder ${options.cwd} is not inside the project`);
      try {
        return new NodeProcess(options, place);
      } catch (error) {
        // Node rejects some arguments before it tries, such as a text with a zero byte.
        return failed(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

/** The environment that every program is started with. */
export function baseEnvironment(environment: Environment): Readonly<Record<string, string>> {
  const entries = inherited.map((name) => [name, environment.get(name)] as const);
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}

class NodeProcess implements RunningProcess {
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: AsyncIterable<Uint8Array>;
  readonly ended: RunningProcess['ended'];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #mark = randomUUID();
  /** Processes that were signalled to end: the system removes the environment, and so the mark, some time before a process is gone. */
  #signalled: readonly number[] = [];
  #hasEnded = false;
  #isGone = false;
  #stopping: Promise<void> | undefined;

  constructor({ command, args, env }: ProcessOptions, cwd: string) {
    const isWindows = process.platform === 'win32';
    const program = isWindows ? windowsProgram(command, args, env, cwd) : { file: command, args };
    // Loaded only now: the language server and most commands start no program.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const child = spawn(program.file, [...program.args], {
      cwd,
      env: { ...env, [markName]: this.#mark },
      stdio: 'pipe',
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: 'verbatim' in program && program.verbatim === true,
    });
    this.#child = child;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    // The write itself reports the error.
    child.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      const finish = (end: Awaited<RunningProcess['ended']>) => {
        this.#hasEnded = true;
        if (!this.#isAlive()) this.#forget();
        resolve(end);
      };
      child.once('error', (error: NodeJS.ErrnoException) => {
        if (child.pid === undefined) finish({ code: null, signal: null, failure: whyNotStarted(error, command) });
      });
      child.once('exit', (code, signal) => finish({ code, signal }));
    });
    if (child.pid !== undefined) watch(this);
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.stdin.write(text, (error) => (error ? reject(new Error(`It takes no input any more: ${error.message}`)) : resolve()));
    });
  }

  stop(grace_ms = defaultGrace): Promise<void> {
    this.#stopping ??= this.#stop(grace_ms);
    return this.#stopping;
  }

  /** At once and without waiting, for the end of this process. */
  kill(): void {
    if (!this.#isGone) this.#signal('SIGKILL');
  }

  async #stop(grace: number): Promise<void> {
    const { stdin, stdout, stderr } = this.#child;
    stdin.end();
    await within(grace, () => this.#hasEnded);
    if (this.#isAlive()) {
      this.#signal('SIGTERM');
      await within(grace, () => !this.#isAlive());
    }
    if (this.#isAlive()) {
      this.#signal('SIGKILL');
      await within(lastLook, () => !this.#isAlive());
    }
    // A process that left the group may still hold the other ends.
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    this.#forget();
  }

  /** Whether the program, or anything it started, still exists. */
  #isAlive(): boolean {
    const { pid } = this.#child;
    if (this.#isGone || pid === undefined) return false;
    if (process.platform === 'win32') return !this.#hasEnded;
    if (hasProc) return !this.#hasEnded || this.#members().length > 0 || this.#signalled.some(isLiving);
    return canSignal(-pid, 0);
  }

  /** Ids of its remaining processes, in its process group or not. */
  #members(): readonly number[] {
    const { pid } = this.#child;
    return pid === undefined || !hasProc ? [] : membersOf({ group: pid, mark: `${markName}=${this.#mark}` });
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    if (process.platform === 'win32') {
      // There is no graceful way on Windows, and only this also ends what the program has started.
      const { spawnSync } = process.getBuiltinModule('node:child_process');
      spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore', timeout: lastLook });
      return;
    }
    const members = this.#members();
    this.#signalled = [...this.#signalled, ...members];
    canSignal(-pid, signal);
    for (const member of members) canSignal(member, signal);
  }

  /** The system may give its process id to another program, so no signal is sent to it again. */
  #forget(): void {
    this.#isGone = true;
    unwatch(this);
  }
}

/** Node reports a missing folder and a missing command alike; the folder is known to exist. */
function whyNotStarted(error: NodeJS.ErrnoException, command: string): string {
  if (error.code === 'ENOENT') {
    return command.includes('/')
      ? `there is no program ${command}`
      : `there is no program "${command}" in the folders of PATH. Install it, or write its whole path`;
  }
  if (error.code === 'EACCES') return `${command} may not be executed. Make it executable, or name the program that runs it`;
  if (error.code === 'E2BIG') return 'its arguments and environment are too long for the system';
  return error.message;
}

function failed(failure: string): RunningProcess {
  const nothing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ value: undefined, done: true } as const) }) };
  return {
    stdout: nothing,
    stderr: nothing,
    write: () => Promise.reject(new Error('It was not started.')),
    ended: Promise.resolve({ code: null, signal: null, failure }),
    stop: () => Promise.resolve(),
  };
}

/** Resolves when `condition` holds, or after `milliseconds`. */
async function within(milliseconds: number, condition: () => boolean): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, pause));
}

/** Sends a signal to a process or (negative) a group. False if it has ended; true also if it runs as another user. */
function canSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
    return code === 'EPERM';
  }
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/**
 * The programs this process has to end before it ends itself: one list for the whole process, as signals are process-wide. It
 * listens only while there is something to end.
 */
const running = new Set<NodeProcess>();
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function watch(started: NodeProcess): void {
  running.add(started);
  if (running.size > 1) return;
  process.on('exit', killAll);
  for (const signal of endings) process.on(signal, endBy);
}

function unwatch(gone: NodeProcess): void {
  if (!running.delete(gone) || running.size > 0) return;
  process.off('exit', killAll);
  for (const signal of endings) process.off(signal, endBy);
}

function killAll(): void {
  for (const started of running) started.kill();
}

/** Other listeners decide what the signal means, such as a command that ends its run first. Without any, it ends this process. */
function endBy(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.off(signal, endBy);
  process.kill(process.pid, signal);
}

export interface Members {
  /** Id of a process group. */
  readonly group: number;
  /** `NAME=value` in the environment of those that have left the group. */
  readonly mark: string;
}

/**
 * Ids of the living processes (Linux) that are in a group, or that have its mark. Dead members that were never waited for are not counted: in a
 * container without an init they stay forever, and the system still counts them.
 */
export function membersOf({ group, mark }: Members): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      const memberOf = livingGroup(id);
      return memberOf !== undefined && (memberOf === group || read(`/proc/${id}/environ`).split('\0').includes(mark));
    });
}

/** Whether a process (Linux) exists and is not dead, however little of it is left. */
function isLiving(id: number): boolean {
  return livingGroup(id) !== undefined;
}

/** Id of the process group of a living process. */
function livingGroup(id: number): number | undefined {
  const [, state, group] = /^.*\) (\S) \d+ (\d+) /s.exec(read(`/proc/${id}/stat`)) ?? [];
  return state === undefined || state === 'Z' || state === 'X' ? undefined : Number(group);
}

/** Empty for a process that has ended meanwhile or belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return '';
  }
}
