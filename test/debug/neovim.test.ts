import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { cleanEnvironment, cliFile, toneProject } from '../cli/command.js';

interface Received {
  readonly type: 'response' | 'event';
  readonly command?: string;
  readonly event?: string;
  readonly success?: boolean;
  readonly request_seq?: number;
  readonly body?: Record<string, never>;
}

/**
 * Speaks as nvim-dap 0.3.0 in Neovim 0.7.2 was seen to: `seq` begins at 0, breakpoints come with `lines` as well and before the answer to `launch`,
 * numbers of frames are not limited, and all scopes are read at each stop.
 */
function neovim(cwd: string) {
  const adapter = spawn(process.execPath, [cliFile, 'debug', '--dap'], { cwd, env: cleanEnvironment() });
  onTestFinished(() => void adapter.kill());
  const closed = new Promise<number | null>((resolve) => adapter.on('close', resolve));
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  new StreamMessageReader(adapter.stdout).listen((message) => {
    received.push(message as unknown as Received);
    for (const look of waiting) look();
  });
  const writer = new StreamMessageWriter(adapter.stdin);
  let seq = -1;
  const until = (isWanted: (message: Received) => boolean, from = 0) =>
    new Promise<Received>((resolve) => {
      const look = () => {
        const message = received.slice(from).find(isWanted);
        if (!message) return;
        waiting.delete(look);
        resolve(message);
      };
      waiting.add(look);
      look();
    });
  async function request(command: string, args?: object): Promise<Received> {
    seq += 1;
    const own = seq;
    await writer.write({ seq: own, type: 'request', command, arguments: args } as never);
    return until(({ type, request_seq }) => type === 'response' && request_seq === own);
  }
  return {
    request,
    /** @param count which event of that name, from 1 */
    event: (name: string, count = 1) => until((message) => received.filter(({ event }) => event === name).indexOf(message) === count - 1),
    closed,
  };
}

const initialize = {
  adapterID: 'nvim-dap',
  clientId: 'neovim',
  clientname: 'neovim',
  columnsStartAt1: true,
  linesStartAt1: true,
  locale: 'en_US.UTF-8',
  pathFormat: 'path',
  supportsRunInTerminalRequest: true,
  supportsVariableType: true,
};

test('the messages of nvim-dap stop, look, step and end a run', async () => {
  const cwd = toneProject();
  const client = neovim(cwd);
  const { body: capabilities } = await client.request('initialize', initialize);
  expect(capabilities).toMatchObject({ supportsConfigurationDoneRequest: true });
  const launched = client.request('launch', { type: 'agent-stack', request: 'launch', name: 'Tone', agent: 'Tone', case: 'greeting' });
  await client.event('initialized');
  const set = client.request('setBreakpoints', {
    source: { name: 'v1.json', path: join(cwd, 'config/agents/Tone/v1.json') },
    sourceModified: false,
    breakpoints: [{ line: 5 }, { line: 6 }],
    lines: [5, 6],
  });
  expect((await launched).success).toBe(true);
  expect((await set).body).toMatchObject({ breakpoints: [{ line: 5 }, { line: 6, verified: true }] });
  await client.request('configurationDone');
  expect((await client.event('stopped')).body).toMatchObject({ reason: 'breakpoint', threadId: 1 });
  expect((await client.request('threads')).body).toMatchObject({ threads: [{ id: 1 }] });
  const frames = (await client.request('stackTrace', { threadId: 1 })).body as unknown as { stackFrames: { id: number; name: string }[] };
  expect(frames.stackFrames[0]?.name).toContain('Tone@v1');
  const frameId = frames.stackFrames[0]?.id;
  const { scopes } = (await client.request('scopes', { frameId })).body as unknown as {
    scopes: { name: string; variablesReference: number }[];
  };
  for (const { name, variablesReference } of scopes) {
    const { success, body } = await client.request('variables', { variablesReference });
    expect([name, success]).toEqual([name, true]);
    const names = (body as unknown as { variables: { name: string }[] }).variables.map((variable) => variable.name);
    expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(signal|logger|deadline|cache)$/)]));
  }
  expect((await client.request('evaluate', { expression: 'input.text', frameId, context: 'repl' })).body).toMatchObject({
    result: 'A friendly hello to all of you',
  });
  expect((await client.request('next', { granularity: 'statement', threadId: 1 })).success).toBe(true);
  await client.event('stopped', 2);
  expect((await client.request('continue', { threadId: 1 })).success).toBe(true);
  await client.event('terminated');
  expect((await client.request('disconnect', { restart: false, terminateDebuggee: null })).success).toBe(true);
  expect(await client.closed).toBe(0);
});
