import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createToolsLoader } from '../../core/node/ownTools/toolsProcess.js';
import { temporaryProject, write } from '../cli/command.js';
import { endOf } from '../support/processes.js';
import { toolContext } from '../tools/support.js';

const module = `
console.log('printed');
let calls = 0;
export const all = [
  { name: 'pid', description: 'Tells the process.', call: () => ({ pid: process.pid, calls: ++calls }) },
  { name: 'who', description: 'Tells the user.', call: (_input, { run, logger }) => { logger.log('info', 'asked', { n: 1 }); return run.user_id; } },
  { name: 'fail', description: 'Throws.', call: function warehouse() { throw new RangeError('no such shelf'); } },
  { name: 'wait', description: 'Waits.', call: (_input, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('told')))) },
  { name: 'end', description: 'Ends.', call: () => process.exit(3) },
];`;

/** The tools of a module, and its file. */
async function tools(text: string, idle_ms?: number) {
  const root = temporaryProject({});
  write(root, 'tools.mjs', text);
  const path = join(root, 'tools.mjs');
  const load = createToolsLoader(idle_ms === undefined ? {} : { idle_ms });
  const list = await load({ root, path });
  return { root, path, load, list, named: (name: string) => list.find((tool) => tool.name === name)! };
}

describe('tools in a process of their own', () => {
  test('have the facts of the module, and are called there', async () => {
    const { list, named, load, root, path } = await tools(module);
    expect(list.map(({ name }) => name)).toEqual(['pid', 'who', 'fail', 'wait', 'end']);
    expect(named('pid')).toMatchObject({ origin: { type: 'skill' }, idempotent: false, side_effects: true, needs_approval: false });
    const { value } = await named('pid').call({}, toolContext());
    expect(value).toMatchObject({ calls: 1 });
    expect(value).not.toMatchObject({ pid: process.pid });
    // One process a module.
    const again = (await load({ root, path }))[0]!;
    expect((await again.call({}, toolContext())).value).toEqual({ ...(value as object), calls: 2 });
  });

  test('are those of the module as it was last saved, and those loaded before stay as they are', async () => {
    const { root, path, load, named } = await tools(module);
    write(root, 'tools.mjs', "export const fresh = { name: 'fresh', description: 'New.', call: () => 'new' };");
    const [fresh, ...others] = await load({ root, path });
    expect(others).toEqual([]);
    expect(await fresh!.call({}, toolContext())).toMatchObject({ value: 'new' });
    expect((await named('pid').call({}, toolContext())).value).toMatchObject({ calls: 1 });
  });

  test('know the run, write its log, and fail with their own stack', async () => {
    const { named } = await tools(module);
    const lines: unknown[] = [];
    const context = toolContext();
    const logger = { log: (...line: unknown[]) => void lines.push(line) };
    expect(await named('who').call({}, { ...context, run: { ...context.run, user_id: 'ada' }, logger })).toMatchObject({ content: 'ada' });
    expect(lines).toEqual([['info', 'asked', { n: 1 }]]);
    const error = await named('fail')
      .call({}, context)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'RangeError', message: 'no such shelf', stack: expect.stringContaining('warehouse') });
  });

  test('are told when a call is cancelled, and a process that ends fails the call and is replaced', async () => {
    const { named } = await tools(module);
    const over = new AbortController();
    const waiting = named('wait').call({}, { ...toolContext(), signal: over.signal });
    over.abort();
    await expect(waiting).rejects.toThrow('told');
    await expect(named('end').call({}, toolContext())).rejects.toThrow('its process ended (exit code 3)');
    expect((await named('pid').call({}, toolContext())).value).toMatchObject({ calls: 1 });
  });

  test('idle ones end, and the next call has the code as it is then', async () => {
    const { root, named } = await tools(module, 50);
    write(root, 'tools.mjs', module.replace("'Tells the process.', call: () => ({", "'Tells the process.', call: () => ({ changed: true,"));
    await sleep(200);
    expect((await named('pid').call({}, toolContext())).value).toMatchObject({ changed: true, calls: 1 });
  });

  test('a module that fails says why', async () => {
    await expect(tools('throw new Error("no warehouse");')).rejects.toThrow('no warehouse');
    await expect(tools('process.exit(4);')).rejects.toThrow('exit code 4');
  });
});

const restless = `
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
const start = () => spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' }).pid;
export const all = [
  { name: 'pid', description: 'Tells the process, and one that it starts.', call: () => ({ pid: process.pid, started: start() }) },
  { name: 'loop', description: 'Never returns.', call: () => { for (;;); } },
  { name: 'interval', description: 'Never settles.', call: () => new Promise(() => setInterval(() => 0, 10)) },
  { name: 'slow', description: 'Takes its time.', call: () => new Promise((resolve) => setTimeout(() => resolve('done'), 2500)) },
  { name: 'send', description: 'Sends what is none of its business.', call: ({ line }) => { writeSync(3, line + '\\n'); return new Promise(() => 0); } },
  { name: 'talk', description: 'Uses the channel of fork, as some libraries do.', call: () => { process.send?.(null); return 'said'; } },
];`;

describe('a call that does not heed its signal', () => {
  /** Calls a tool, cancels the call, and waits until the process and what it has started are gone. */
  async function cancelled(name: string) {
    const { named } = await tools(restless);
    const { pid, started } = (await named('pid').call({}, toolContext())).value as { pid: number; started: number };
    const over = new AbortController();
    const call = named(name).call({}, toolContext(over.signal));
    setTimeout(() => over.abort(new Error('time is up')), 100);
    await expect(call).rejects.toThrow('time is up');
    for (const each of [pid, started]) await endOf(each);
    return named;
  }

  test.each(['loop', 'interval'])('%s: its process is ended, and the next call starts another', async (name) => {
    const named = await cancelled(name);
    expect(await named('talk').call({}, toolContext())).toMatchObject({ content: 'said' });
  });

  test('ends no other call that its process is busy with', async () => {
    const { named } = await tools(restless);
    const { value } = await named('pid').call({}, toolContext());
    const over = new AbortController();
    const slow = named('slow').call({}, toolContext());
    const deaf = named('interval').call({}, toolContext(over.signal));
    over.abort(new Error('time is up'));
    await expect(deaf).rejects.toThrow('time is up');
    expect(await slow).toMatchObject({ content: 'done' });
    await endOf((value as { pid: number }).pid);
  });
});

test.each([
  'null',
  '{"type":"outcome","id":"1"}',
  '{"type":"loaded","tools":[null]}',
  'text',
  '{"type":"log","id":1,"level":"x","message":1}',
])('a process that sends %s is ended with these words', async (line) => {
  const { named } = await tools(restless);
  const words = `it sent what is not an answer: ${line}`;
  await expect(named('send').call({ line }, toolContext())).rejects.toThrow(words);
  expect(await named('talk').call({}, toolContext())).toMatchObject({ content: 'said' });
});
