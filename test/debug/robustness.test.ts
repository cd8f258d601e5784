import { spawn } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StreamMessageReader } from 'vscode-jsonrpc/node';
import { agentstackRunning, cleanEnvironment, cliFile, toneProject } from '../cli/command.js';
import { startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { debuggerIn, Followed, launch, launchPaused } from './debugClient.js';

const call = { agent: 'Tone', case: 'greeting' };

interface Answer {
  readonly type: string;
  readonly event?: string;
  readonly success?: boolean;
  readonly message?: string;
  readonly request_seq?: number;
  readonly body?: { readonly threadId?: number; readonly description?: string; readonly result?: string };
}

/** The adapter without a client: what is written to it is up to the test. */
function adapterIn(cwd: string, env: Readonly<Record<string, string>> = {}) {
  const adapter = spawn(process.execPath, [cliFile, 'debug', '--dap'], { cwd, env: cleanEnvironment(env) });
  onTestFinished(() => void adapter.kill());
  const errors: Buffer[] = [];
  adapter.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const exit = new Promise<number | null>((resolve) => adapter.on('close', resolve));
  return { ...talkTo(adapter.stdout, (bytes) => void adapter.stdin.write(bytes)), exit, errors: () => Buffer.concat(errors).toString() };
}

function talkTo(output: NodeJS.ReadableStream, write: (bytes: Buffer) => void) {
  const received: Answer[] = [];
  const looks = new Set<() => void>();
  new StreamMessageReader(output).listen((message) => {
    received.push(message as unknown as Answer);
    for (const look of looks) look();
  });
  const until = (isWanted: (answer: Answer) => boolean) =>
    new Promise<Answer>((resolve) => {
      const look = () => {
        const answer = received.find(isWanted);
        if (!answer) return;
        looks.delete(look);
        resolve(answer);
      };
      looks.add(look);
      look();
    });
  let seq = 0;
  const bytesOf = (message: object) => {
    const json = JSON.stringify(message);
    return Buffer.from(`Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`);
  };
  const begin = (command: string, args?: unknown) => {
    seq += 1;
    const own = seq;
    return {
      bytes: bytesOf({ seq, type: 'request', command, arguments: args }),
      answer: () => until(({ request_seq }) => request_seq === own),
    };
  };
  return {
    write,
    begin,
    request(command: string, args?: unknown) {
      const { bytes, answer } = begin(command, args);
      write(bytes);
      return answer();
    },
    event: (name: string, count = 1) => until((answer) => received.filter(({ event }) => event === name)[count - 1] === answer),
  };
}

type Adapter = ReturnType<typeof talkTo>;

const initialize = { adapterID: 'agent-stack', pathFormat: 'path', linesStartAt1: true, columnsStartAt1: true };

/** Paused before the first call. */
async function paused(adapter: Adapter, args: object = call): Promise<void> {
  await adapter.request('initialize', initialize);
  const launched = adapter.request('launch', args);
  await adapter.event('initialized');
  expect(await launched).toMatchObject({ success: true });
  await adapter.request('pause', { threadId: 1 });
  await adapter.request('configurationDone');
  await adapter.event('stopped');
}

async function hangingProject() {
  const server = await startLoopbackOpenAi({ text: ['{"tone": ', '"friendly"}'], fault: 'hang-mid-body' }, { lenient: true });
  onTestFinished(() => server.close());
  const llm = { llm_id: 'local', provider: 'openai_compatible', model_name: 'm', base_url: server.url, api_key_env: 'LOCAL_KEY' };
  return { server, cwd: toneProject({ 'config/llms/local.json': llm }) };
}

describe('a disconnect ends the adapter', () => {
  test('before the run has begun, which then never begins', async () => {
    const adapter = adapterIn(toneProject());
    await adapter.request('initialize', initialize);
    await adapter.request('launch', call);
    expect(await adapter.request('disconnect')).toMatchObject({ success: true });
    expect(await adapter.exit).toBe(0);
  });

  test('in the middle of a call, which is given up', async () => {
    const { cwd, server } = await hangingProject();
    const adapter = adapterIn(cwd, { LOCAL_KEY: 'key-of-this-test' });
    await adapter.request('initialize', initialize);
    await adapter.request('launch', { ...call, llm: 'local' });
    await adapter.request('configurationDone');
    await expect.poll(() => server.requests.length).toBe(1);
    await adapter.request('disconnect');
    expect(await adapter.exit).toBe(0);
    expect(server.requests[0]?.aborted).toBe(true);
  });

  test('while it looks at the past', async () => {
    const adapter = adapterIn(toneProject());
    await paused(adapter);
    await adapter.request('stepIn', { threadId: 1 });
    await adapter.event('stopped', 2);
    await adapter.request('stepBack', { threadId: 1 });
    await adapter.event('stopped', 3);
    await adapter.request('disconnect');
    expect(await adapter.exit).toBe(0);
  });
});

test('a second launch is refused, one after a launch that failed is not', async () => {
  const client = await debuggerIn(toneProject());
  await expect(client.launchRequest({ agent: 'Tone', case: 'none' } as never)).rejects.toThrow('no case none');
  const run = await launchPaused(client, call);
  await run.stop();
  await expect(client.launchRequest(call as never)).rejects.toThrow('A run has been launched already');
  expect(await run.go('continue')).toBe('ended');
});

test('each request has an answer before the launch and after the end', async () => {
  const adapter = adapterIn(toneProject());
  await adapter.request('initialize', initialize);
  const frame = { frameId: 1, threadId: 1, variablesReference: 1000, expression: 'input', text: 'in', column: 3, name: 'a', value: 'b' };
  const all = [
    'threads',
    'stackTrace',
    'scopes',
    'variables',
    'evaluate',
    'completions',
    'setVariable',
    'setExpression',
    'continue',
    'next',
  ];
  const requests = [...all, 'stepIn', 'stepOut', 'stepBack', 'reverseContinue', 'pause', 'setBreakpoints', 'unheardOf'];
  for (const command of requests) expect((await adapter.request(command, { ...frame, source: {} })).success).toBeTypeOf('boolean');
  const launched = adapter.request('launch', call);
  await launched;
  await adapter.request('configurationDone');
  await adapter.event('stopped');
  await adapter.request('continue', { threadId: 1 });
  await adapter.event('terminated');
  for (const command of requests) expect((await adapter.request(command, { ...frame, source: {} })).success).toBeTypeOf('boolean');
  expect(await adapter.request('evaluate', { expression: 'input' })).toMatchObject({ success: false, message: 'The run is not stopped.' });
  await adapter.request('disconnect');
  expect(await adapter.exit).toBe(0);
  expect(adapter.errors()).toBe('');
});

test('messages in pieces, and several in one', async () => {
  const adapter = adapterIn(toneProject({ 'config/payloads/Tone/wide.json': { input: { text: 'Grüße 試験 🙂' } } }));
  await paused(adapter, { agent: 'Tone', case: 'wide' });
  const wide = adapter.begin('evaluate', { expression: '"Grüße 試験 🙂" {{input.text}}' });
  for (const byte of wide.bytes) {
    adapter.write(Buffer.from([byte]));
    if (byte % 16 === 0) await new Promise(setImmediate);
  }
  expect((await wide.answer()).body?.result).toBe('"Grüße 試験 🙂" Grüße 試験 🙂');
  const many = ['threads', 'scopes', 'evaluate'].map((command) => adapter.begin(command, { expression: 'input.text', frameId: 1 }));
  adapter.write(Buffer.concat(many.map(({ bytes }) => bytes)));
  for (const { answer } of many) expect(await answer()).toMatchObject({ success: true });
});

const value = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constant(null),
  fc.boolean(),
  fc.json(),
  fc.constant({}),
  fc.constant([]),
  fc.constant('{_x}'),
);
const commands = [
  'evaluate',
  'completions',
  'variables',
  'setVariable',
  'setExpression',
  'scopes',
  'stackTrace',
  'threads',
  'setBreakpoints',
  'stepBack',
];
const requestArguments = fc.oneof(
  value,
  fc.record(
    {
      expression: value,
      text: value,
      column: value,
      line: value,
      variablesReference: fc.oneof(fc.integer({ min: 995, max: 1020 }), value),
      name: value,
      value,
      threadId: value,
      context: value,
      start: value,
      count: value,
      filter: value,
      source: value,
      breakpoints: value,
    },
    { requiredKeys: [] },
  ),
);

test('rubbish in any request has an answer, and the run goes on', async () => {
  const adapter = adapterIn(toneProject());
  await paused(adapter);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...commands), requestArguments, async (command, args) => {
      expect((await adapter.request(command, args)).success).toBeTypeOf('boolean');
    }),
    { numRuns: 400 },
  );
  expect((await adapter.request('evaluate', { expression: 'input.text' })).body?.result).toBe('A friendly hello to all of you');
  await adapter.request('continue', { threadId: 1 });
  await adapter.event('terminated');
  expect(adapter.errors()).toBe('');
});

describe('two sessions on one project', () => {
  test('in two processes do not see each other', async () => {
    const cwd = toneProject();
    const runs = await Promise.all(
      ['one', 'two'].map(async (text) => {
        const client = await debuggerIn(cwd);
        const run = new Followed(client);
        await launch(client, { agent: 'Tone', input: { text }, stopBefore: ['model'] }, 'nowhere.json', []);
        return run;
      }),
    );
    for (const run of runs) await run.stop();
    expect(await Promise.all(runs.map((run) => run.value('input.text')))).toEqual(['one', 'two']);
    expect(await runs[0]!.go('continue')).toBe('ended');
    expect(await runs[1]!.value('input.text')).toBe('two');
    expect(await runs[1]!.go('continue')).toBe('ended');
  });

  test('in one process do not either', async () => {
    const cwd = toneProject();
    const { PassThrough } = await import('node:stream');
    const adapters = ['one', 'two'].map((text) => {
      const output = new PassThrough();
      const { stdin, ended } = agentstackRunning(['debug', '--dap'], { cwd }, output);
      return { text, ended, ...talkTo(output, (bytes) => void stdin.write(bytes)) };
    });
    for (const adapter of adapters) await paused(adapter, { agent: 'Tone', input: { text: adapter.text } });
    const [one, two] = adapters;
    expect((await one!.request('evaluate', { expression: 'input.text' })).body?.result).toBe('one');
    await one!.request('disconnect');
    await one!.ended;
    expect((await two!.request('evaluate', { expression: 'input.text' })).body?.result).toBe('two');
    await two!.request('continue', { threadId: 1 });
    await two!.event('terminated');
    await two!.request('disconnect');
    await two!.ended;
  });
});
