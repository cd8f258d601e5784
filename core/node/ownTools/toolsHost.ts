import type { Tool } from '../../tools/types.js';
import { importTools } from './importTools.js';
import type { FromHost, SentError, ToHost } from './toolMessages.js';

// The process in which the tools of a project's module run: apart from the editor and the command line, so that what the module prints, keeps open or
// breaks stays here. It ends with the process that started it.

let tools: ReadonlyMap<string, Tool> = new Map();
const calls = new Map<number, AbortController>();

process.on('disconnect', () => process.exit());
process.on('message', (message: ToHost) => void answer(message));

async function answer(message: ToHost): Promise<void> {
  if (message.type === 'cancel') calls.get(message.id)?.abort();
  else if (message.type === 'call') await call(message);
  else await load(message.path);
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
    const log = (level: 'debug' | 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>) =>
      send({ type: 'log', id, level, message, ...(fields && { fields }) });
    send({ type: 'outcome', id, outcome: await tool.call(input, { ...context, signal: over.signal, logger: { log } }) });
  } catch (error) {
    send({ type: 'threw', id, error: sent(error) });
  } finally {
    calls.delete(id);
  }
}

function send(message: FromHost): void {
  if (process.connected) process.send?.(message);
}

function sent(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return { name, message: message || name, stack, ...('code' in error && { code: error.code }) };
}
