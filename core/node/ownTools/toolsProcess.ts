import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeniedError } from '../../errors.js';
import { longestAnswer } from '../../tools/mcp/limits.js';
import { readLines } from '../../tools/mcp/lines.js';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/types.js';
import { visibleText } from '../../visibleText.js';
import { shorten } from '../../words.js';
import { createNodeEnvironment } from '../nodePorts.js';
import { baseEnvironment } from '../processes.js';
import type { LoadTools, ToolsModule } from './importTools.js';
import { type FromHost, readFromHost, type SentError, type ToHost, type ToolFacts } from './toolMessages.js';

/** Longest time a module may take to load, in ms. */
const loadPatience = 10_000;
/** How long a call may continue after it was cancelled, in ms. */
const grace = 1000;
const stillRuns = 'a call went on after it was cancelled.';

export interface ToolsLoaderOptions {
  /** A process that is idle for this long ends; the next call starts another, with the code at that time. Default: it does not end. */
  readonly idle_ms?: number;
  /** The source of the variables that the code may see. Default: this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Loads modules of tools into separate processes, one per module, in which their tools are also called. Such a process ends with this one. When a
 * file of the module's folder has changed, the next load starts another process; tools loaded before keep theirs.
 */
export function createToolsLoader(options: ToolsLoaderOptions = {}): LoadTools {
  const hosts = new Map<string, { readonly host: ToolsHost; readonly changed: number }>();
  return async (module) => {
    const changed = lastChange(dirname(module.path));
    const earlier = hosts.get(module.path);
    let host = earlier?.host.isOpen && earlier.changed === changed ? earlier.host : new ToolsHost(module, options);
    hosts.set(module.path, { host, changed });
    const open = () => {
      if (!host.isOpen) host = new ToolsHost(module, options);
      return host;
    };
    const facts = await open().tools;
    return facts.map((fact): Tool => ({ ...fact, call: (input, context) => open().call(fact.name, input, context) }));
  };
}

/** When the newest code in a folder was written, in ms. A module may import the files next to it. */
function lastChange(folder: string): number {
  const code = readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name));
  const times = code.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.max(0, ...times);
}

interface Waiting {
  readonly resolve: (outcome: ToolOutcome) => void;
  readonly reject: (error: unknown) => void;
  readonly context: ToolContext;
}

/** A process that has loaded one module. It ends itself soon after the pipe to it is closed, by `#close` or with this process (toolsHost.ts). */
class ToolsHost {
  readonly tools: Promise<readonly ToolFacts[]>;
  isOpen = true;
  readonly #child: ChildProcess;
  readonly #pipe: Socket;
  readonly #idle_ms: number | undefined;
  readonly #waiting = new Map<number, Waiting>();
  /** Calls whose code has been notified that they are cancelled. */
  readonly #cancelled = new Set<number>();
  /** Cancelled calls whose time to end is over. */
  readonly #overdue = new Set<number>();
  #next = 1;
  #isLoading = true;
  #timer: NodeJS.Timeout | undefined;

  constructor({ root, path, variables = [] }: ToolsModule, { idle_ms, env = process.env }: ToolsLoaderOptions) {
    // Loaded only now: most commands start no process.
    const { spawn } = process.getBuiltinModule('node:child_process');
    const electron = process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
    this.#child = spawn(process.execPath, [hostScript()], {
      cwd: root,
      // What the module prints goes to stderr: stdout may be read by a machine.
      stdio: ['ignore', 2, 2, 'pipe'],
      env: { ...environmentOf(env, variables), ...electron },
      // A process group of its own, which ends as a whole.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#pipe = this.#child.stdio[3] as Socket;
    // The end of the process is more informative than a failed write.
    this.#pipe.on('error', () => undefined);
    this.#idle_ms = idle_ms;
    this.tools = new Promise((resolve, reject) => {
      const late = setTimeout(() => end(`it took longer than ${loadPatience / 1000} seconds.`), loadPatience);
      const end = (reason: string) => {
        clearTimeout(late);
        this.#close(reason);
        reject(new Error(reason));
      };
      this.#child.once('error', ({ message }) => end(message));
      this.#child.once('exit', (code, signal) => end(`its process ended (${signal ?? `exit code ${code}`}).`));
      void this.#read(end, (tools) => {
        clearTimeout(late);
        this.#isLoading = false;
        this.#rest();
        resolve(tools);
      });
    });
    this.#send({ type: 'load', path });
  }

  async call(tool: string, input: Parameters<Tool['call']>[0], context: ToolContext): Promise<ToolOutcome> {
    await this.tools;
    const { signal, logger: _, ...rest } = context;
    const id = this.#next++;
    let late: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#send({ type: 'cancel', id });
      late = setTimeout(() => this.#giveUp(id, signal), grace);
    };
    try {
      return await new Promise<ToolOutcome>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject, context });
        this.#rest();
        this.#send({ type: 'call', id, tool, input, context: rest });
        signal.addEventListener('abort', cancel, { once: true });
        if (signal.aborted) cancel();
      });
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', cancel);
      this.#waiting.delete(id);
      this.#cancelled.delete(id);
      this.#rest();
    }
  }

  /** Handles a call that continues although it was cancelled. Its process ends with the last other call, or at once if it no longer responds. */
  #giveUp(id: number, { reason }: AbortSignal): void {
    const isStuck = !this.#cancelled.delete(id);
    this.#overdue.add(id);
    this.#waiting.get(id)?.reject(reason);
    if (isStuck) this.#close(stillRuns);
  }

  async #read(end: (reason: string) => void, onLoaded: (tools: readonly ToolFacts[]) => void): Promise<void> {
    try {
      for await (const line of readLines(this.#pipe, longestAnswer, () => end('it sent an answer that is too long.'))) {
        const message = readFromHost(line);
        if (message === undefined) end(`it sent what is not an answer: ${shorten(visibleText(line), 100)}`);
        else if (message.type === 'failed') end(message.message);
        else if (message.type === 'loaded') onLoaded(message.tools);
        else this.#take(message);
      }
    } catch {
      // The pipe broke with its process, whose end is more informative.
    }
  }

  #take(message: Exclude<FromHost, { type: 'loaded' | 'failed' }>): void {
    const { id } = message;
    const waiting = this.#waiting.get(id);
    if (message.type === 'log') waiting?.context.logger.log(message.level, message.message, message.fields);
    else if (message.type === 'cancelled') this.#cancelled.add(id);
    else {
      this.#overdue.delete(id);
      if (message.type === 'outcome') waiting?.resolve(message.outcome);
      else waiting?.reject(received(message.error));
    }
  }

  #send(message: ToHost): void {
    if (this.isOpen) this.#pipe.write(`${JSON.stringify(message)}\n`);
  }

  /** A process that nothing waits for does not keep the program running, and ends itself after a while. */
  #rest(): void {
    clearTimeout(this.#timer);
    if (!this.isOpen) return;
    const isBusy = this.#isLoading || this.#waiting.size > 0;
    if (isBusy) {
      this.#child.ref();
      this.#pipe.ref();
      return;
    }
    this.#child.unref();
    this.#pipe.unref();
    if (this.#overdue.size > 0) this.#close(stillRuns);
    else if (this.#idle_ms !== undefined) this.#timer = setTimeout(() => this.#close('it was idle.'), this.#idle_ms).unref();
  }

  #close(reason: string): void {
    this.isOpen = false;
    clearTimeout(this.#timer);
    this.#child.unref();
    this.#pipe.destroy();
    for (const { reject } of this.#waiting.values()) reject(new Error(`The process of the tool has ended: ${reason}`));
  }
}

/** The environment of every program, plus the variables with these names. */
function environmentOf(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const environment = createNodeEnvironment(env);
  return { ...Object.fromEntries(names.map((name) => [name, environment.get(name)])), ...baseEnvironment(environment) };
}

/** With the stack it had in the process of the tools. */
function received({ name, message, stack, code }: SentError): Error {
  if (code === 'denied') return new DeniedError(message);
  return Object.assign(new Error(message), { name, ...(stack !== undefined && { stack }) });
}

/** The built file of `toolsHost.ts`, in the package this file is in. */
function hostScript(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); dirname(folder) !== folder; folder = dirname(folder)) {
    const script = join(folder, 'dist/commands/vendor/toolsHost.cjs');
    if (existsSync(script)) return script;
  }
  throw new Error('the file dist/commands/vendor/toolsHost.cjs of this package is missing. Install it again.');
}
