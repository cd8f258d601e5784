import { Socket } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { isObject } from '../../json.js';
import type { Logger } from '../../ports.js';
import { longestAnswer } from '../../tools/mcp/limits.js';
import { readLines } from '../../tools/mcp/lines.js';
import type { Tool } from '../../tools/types.js';
import { importTools } from './importTools.js';
import { type FromHost, isLevel, isOutcome, type SentError, type ToHost } from './toolMessages.js';

// The process in which the tools of a project's module run: apart from the editor and the command line, so that what the module prints, keeps open or
// breaks stays here. A second thread holds the pipe to the process that started it, and ends this one, with all that its tools have started, once
// that
// pipe is closed: code in an endless loop leaves the first thread no moment to see it.

/** How long the module has to end cleanly after that, in ms. */
const grace = 1000;

if (isMainThread) serveTools(new Worker(process.argv[1]!));
else void keepPipe();

async function keepPipe(): Promise<void> {
  const pipe = new Socket({ fd: 3 });
  pipe.on('error', () => undefined);
  parentPort?.on('message', (line: string) => pipe.write(`${line}\n`));
  try {
    for await (const line of readLines(pipe, longestAnswer, () => undefined)) parentPort?.postMessage(line);
  } finally {
    parentPort?.postMessage('');
    setTimeout(endGroup, grace);
  }
}

/** Ends this process and, if there are process groups, everything its tools have started. */
function endGroup(): void {
  process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL');
}

function serveTools(pipe: Worker): void {
  let tools: ReadonlyMap<string, Tool> = new Map();
  const calls = new Map<number, AbortController>();
  const send = (message: FromHost) => pipe.postMessage(JSON.stringify(message));

  pipe.on('message', (line: string) => {
    if (line !== '') return void answer(JSON.parse(line) as ToHost);
    process.on('exit', endGroup);
    process.exit();
  });

  async function answer(message: ToHost): Promise<void> {
    if (message.type === 'call') await call(message);
    else if (message.type === 'load') await load(message.path);
    else {
      send({ type: 'cancelled', id: message.id });
      calls.get(message.id)?.abort();
    }
  }

  async function load(path: string): Promise<void> {
    try {
      const exported = await importTools({ path });
      tools = new Map(exported.map((tool) => [tool.name, tool]));
      send({ type: 'loaded', tools: exported.map(({ call: _, ...facts }) => facts) });
    } catch (error) {
      send({ type: 'failed', message: sent(error).message });
    }
  }

  async function call({ id, tool: name, input, context }: Extract<ToHost, { type: 'call' }>): Promise<void> {
    const over = new AbortController();
    calls.set(id, over);
    try {
      const tool = tools.get(name);
      if (tool === undefined) throw new Error(`The module exports no tool ${name} any more.`);
      const log: Logger['log'] = (level, message, fields) =>
        send({ type: 'log', id, level: isLevel(level) ? level : 'info', message: String(message), ...(isObject(fields) && { fields }) });
      const outcome = await tool.call(input, { ...context, signal: over.signal, logger: { log } });
      if (!isOutcome(outcome)) throw new TypeError(`${name} returned no result: it is an object with a text as "content".`);
      send({ type: 'outcome', id, outcome });
    } catch (error) {
      send({ type: 'threw', id, error: sent(error) });
    } finally {
      calls.delete(id);
    }
  }
}

function sent(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { name: String(name), message: String(message || name), ...(typeof stack === 'string' && { stack }), ...code };
}
