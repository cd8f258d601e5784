import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { isRunning } from '../../support/processes.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { call, open, sessionOf, setup } from './support.js';

const signal = new AbortController().signal;

describe('starting', () => {
  test('a server that never answers initialize is given up after its time limit, and ended', async () => {
    const it = setup();
    const server = it.server(['no-initialize'], { timeout_ms: 300 });
    await expect(open(it, { mute: server })).rejects.toMatchObject({
      code: 'tool-execution',
      tool: 'mute',
      message: 'The MCP server "mute" did not answer within 300 ms.',
    });
    expect(it.pids().map(isRunning)).toEqual([false]);
  });

  test('one that never lists its tools is given up as well', async () => {
    const it = setup();
    await expect(open(it, { mute: it.server(['no-list'], { timeout_ms: 400 }) })).rejects.toThrow('did not answer within 400 ms');
    expect(it.pids().map(isRunning)).toEqual([false]);
  });

  test('a server that ends at once says why', async () => {
    const it = setup();
    await expect(open(it, { short: it.server(['exit']) })).rejects.toThrow(
      /^The MCP server "short" ended with exit code 3, and said last: no licence found\.$/,
    );
  });

  test('a program that is not there is named', async () => {
    const it = setup();
    await expect(open(it, { none: { command: 'no-such-server' } })).rejects.toThrow(
      /^The MCP server "none" could not be started: there is no program "no-such-server" in the folders of PATH\./,
    );
  });

  test('a run that is cancelled meanwhile leaves nothing running', async () => {
    const it = setup();
    const controller = new AbortController();
    const opening = open(it, { mute: it.server(['no-initialize']), fine: it.server() }, {}, controller.signal);
    await expect.poll(() => it.pids().length).toBe(2);
    controller.abort(new Error('enough'));
    await expect(opening).rejects.toThrow('enough');
    expect(it.pids().some(isRunning)).toBe(false);
  });

  test('a server that is closed while a value for it is asked of the user is not waited for', async () => {
    const it = setup();
    const definition = it.server([], { env: { TOKEN: '${input:token}' } });
    const inputs = [{ id: 'token', type: 'promptString' as const }];
    const session = sessionOf(it, definition, { inputs, resolveInput: () => new Promise(() => undefined) });
    const opening = session.tools(signal);
    await session.close();
    await expect(opening).rejects.toThrow('was stopped');
  });

  test('one server that fails takes the others along', async () => {
    const it = setup();
    const opening = open(it, { fine: it.server(), mute: it.server(['no-initialize'], { timeout_ms: 400 }) });
    await expect(opening).rejects.toThrow('"mute" did not answer');
    expect(it.pids().some(isRunning)).toBe(false);
  });
});

describe('what a server prints', () => {
  test('garbage on stdout is skipped, and logged only so often', async () => {
    const it = setup();
    const set = await open(it, { loud: it.server(['garbage']) });
    await expect.poll(() => it.log()).toContain('further ones are not logged');
    expect((await call(set, 'echo', { text: 'heard' })).content).toBe('heard');
    const lines = it
      .log()
      .split('\n')
      .filter((line) => line.includes('is not a message'));
    expect(lines[0]).toMatch(
      /^warn MCP server "loud": wrote a line to stdout that is not a message, which is skipped: Welcome to the server! \{"client_id":"loud"\}$/,
    );
    expect(lines.length).toBe(20);
  });

  test('a line of more than 64 MB ends the connection with these words', { timeout: 20_000 }, async () => {
    const it = setup();
    await expect(open(it, { long: it.server(['long-line']) })).rejects.toThrow(
      'The MCP server "long" sent more than 64 MB in one message, or more than 1 MB of them in an array.',
    );
  });

  test('so does an array of very many messages', { timeout: 20_000 }, async () => {
    const it = setup();
    const begun = performance.now();
    await expect(open(it, { many: it.server(['many']) })).rejects.toThrow('more than 1 MB of them in an array');
    expect(performance.now() - begun).toBeLessThan(8000);
  });

  test('more requests than it takes answers to end the connection', { timeout: 20_000 }, async () => {
    const it = setup();
    await expect(open(it, { loud: it.server(['pings']) })).rejects.toThrow(
      'The MCP server "loud" sends requests faster than it reads their answers.',
    );
  });

  test('stderr goes to the log under its name, secrets covered', async () => {
    const it = setup({ MY_TOKEN: 'open"sesame"' });
    await open(it, { note: it.server(['stderr'], { env: { TOKEN: '${env:MY_TOKEN}' } }) });
    await expect.poll(() => it.log()).toContain('info MCP server "note": started with ***** {"client_id":"note"}');
    expect(it.log()).not.toContain('sesame');
  });

  test('no part of a secret is left where a line is cut', async () => {
    const it = setup({ MY_TOKEN: 'sesame-street-and-more' });
    const opening = open(it, { it: it.server(['long-secret'], { env: { TOKEN: '${env:MY_TOKEN}' } }) });
    const message = await opening.catch((error: Error) => error.message);
    expect(message).toMatch(/ended with exit code 4, and said last: /);
    expect(it.log()).toContain('which is skipped: zzz');
    for (const part of ['sesame', 'and-more', 'd-more', 'more']) expect(`${message}\n${it.log()}`).not.toContain(part);
  });
});

describe('a call', () => {
  test('of 20 MB comes through whole', { timeout: 20_000 }, async () => {
    const it = setup();
    const set = await open(it, { it: it.server() });
    const { content } = await call(set, 'big', { megabytes: 20 });
    expect(content.length).toBe(20 * 1024 * 1024);
  });

  test('in whose middle the server dies has an outcome that says so; the next one starts it again', async () => {
    const it = setup();
    const set = await open(it, { it: it.server() });
    const [died, waited] = await Promise.all([call(set, 'die'), call(set, 'deaf')]);
    const words = 'The MCP server "it" ended with exit code 7.';
    expect(died).toEqual({ content: words, is_error: true, can_retry: true });
    expect(waited).toEqual({ content: words, is_error: true, can_retry: true });
    expect(await call(set, 'echo', { text: 'again' })).toEqual({ content: 'again' });
    expect(it.pids().length).toBe(2);
    expect(it.log()).toMatch(/warn MCP server "it": ended with exit code 7; it is restarted in \d+ ms/);
  });

  test('of a server that dies again and again is not tried for ever', async () => {
    const it = setup();
    const ports = { ...it.ports, clock: { ...it.ports.clock, sleep: async (wait: number) => void waits.push(wait) } };
    const waits: number[] = [];
    const set = await open(it, { it: it.server() }, { ports });
    for (let count = 0; count < 6; count += 1) expect((await call(set, 'die')).content).toContain('ended with exit code 7');
    expect((await call(set, 'echo', { text: 'x' })).content).toBe(
      'The MCP server "it" was restarted 5 times and is not restarted again: it ended with exit code 7.',
    );
    expect(it.pids().length).toBe(6);
    expect(waits.length).toBe(5);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(200 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(300 * 2 ** index);
    }
  });

  test('that is never answered ends after the time limit of the server, which is told', async () => {
    const it = setup();
    const set = await open(it, { it: it.server([], { timeout_ms: 2000 }) });
    expect(await call(set, 'deaf')).toEqual({
      content: 'The MCP server "it" did not answer within 2000 ms.',
      is_error: true,
      can_retry: true,
    });
    expect(JSON.parse((await call(set, 'cancelled')).content)).toHaveLength(1);
    expect(it.pids().length).toBe(1);
  });

  test('that is answered without a result fails at once', async () => {
    const it = setup();
    const set = await open(it, { it: it.server() });
    expect(await call(set, 'result', { result: null })).toMatchObject({
      content: 'The MCP server "it" refused: its answer has neither a result nor an error of the protocol',
      is_error: true,
    });
    expect((await call(set, 'echo', { text: 'still there' })).content).toBe('still there');
  });

  test('that is cancelled ends at once, although the tool goes on, and the server is told', async () => {
    const it = setup();
    const set = await open(it, { it: it.server() });
    const controller = new AbortController();
    const calling = call(set, 'deaf', {}, controller.signal);
    setTimeout(() => controller.abort(new Error('stop')), 50);
    await expect(calling).rejects.toThrow('stop');
    expect(JSON.parse((await call(set, 'cancelled')).content)).toHaveLength(1);
  });

  test.each(['-32603', '-32000', '-32001', '-1', '404'])(
    'that the server refuses with %s says what it said, without secrets',
    async (code) => {
      const it = setup({ MY_TOKEN: 'sesame-street' });
      const session = sessionOf(it, it.server([], { env: { TOKEN: '${env:MY_TOKEN}', ERROR_CODE: code } }));
      await expect(session.request('tools/call', { name: 'none' }, signal)).rejects.toMatchObject({
        reason: 'refused',
        message: expect.stringMatching(/^cannot: .* \*\*\*\*\*$/),
      });
      await session.request('tools/call', { name: 'echo', arguments: { text: '' } }, signal);
      expect(it.pids().length).toBe(1);
    },
  );

  test('reports progress and what the server logs', async () => {
    const it = setup();
    const set = await open(it, { it: it.server() });
    await call(set, 'progress');
    expect(it.log()).toContain('debug MCP server "it": progress of tools/call: 3 of 10, on it');
    expect(it.log()).toContain('warn MCP server "it": careful');
  });

  test('of a tool that has changed since the run began is not made', async () => {
    const it = setup();
    const set = await open(it, { it: it.server() });
    expect(await call(set, 'echo', { text: 'a' })).toEqual({ content: 'a' });
    await call(set, 'change');
    expect(await call(set, 'echo', { text: 'b' })).toEqual({
      content: 'The tool echo was not called: since the run began the MCP server "it" describes it differently.',
      is_error: true,
    });
    expect((await call(set, 'cancelled')).is_error).toBeUndefined();
  });

  test('tells no secret that the server was given', async () => {
    const it = setup({ MY_TOKEN: 'sesame-street', PLAIN: 'visible' });
    const set = await open(it, { it: it.server([], { env: { API_TOKEN: 'secret://my-token', PLAIN: '${env:PLAIN}' } }) });
    expect((await call(set, 'env', { name: 'API_TOKEN' })).content).toBe('*****');
    expect((await call(set, 'env', { name: 'PLAIN' })).content).toBe('visible');
    const telltale = await open(it, { it: it.server(['telltale'], { env: { TOKEN: 'secret://my-token' } }) });
    expect(telltale.tools.map(({ description }) => description)).toContain('Knows *****.');
  });
});

describe('lists', () => {
  test('of several pages are read to their end', async () => {
    const it = setup();
    const set = await open(it, { it: it.server(['pages']) });
    expect(set.tools.length).toBe(10);
  });

  test('that go in circles, or on for ever, end', async () => {
    const it = setup();
    expect((await sessionOf(it, it.server(['same-page'])).tools(signal)).size).toBe(10);
    expect(it.log()).toContain('lists the same page of tools again and again');
    expect((await sessionOf(it, it.server(['endless-pages'])).tools(signal)).size).toBe(1);
    expect(it.log()).toContain('on more than 100 pages');
  });

  test('leave out what is not a tool', async () => {
    const it = setup();
    const inputSchema = { type: 'object' };
    const named = { name: '__proto__', inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') };
    writeFileSync(
      join(it.root, 'tools.json'),
      JSON.stringify([
        { name: '', inputSchema },
        { name: 'array', inputSchema: { type: 'array' } },
        { name: 'huge', description: 'x'.repeat(300_000), inputSchema },
        named,
        { ...named, description: 'again' },
        7,
      ]),
    );
    const set = await open(it, { it: it.server([], { env: { TOOLS_FILE: '${workspaceFolder}/tools.json' } }) });
    expect(set.tools.map(({ name }) => name)).toEqual(['__proto__']);
    expect(JSON.stringify(set.tools[0]?.parameters)).toBe('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
    for (const words of [
      'it has no name',
      '"array" does not describe an object',
      'of "huge" have more than',
      'lists the tool "__proto__" twice',
    ]) {
      expect(it.log()).toContain(words);
    }
  });
});

describe('the end', () => {
  test('takes along what a server has started, and servers that do not want to end', async () => {
    const it = setup();
    const set = await open(it, { parent: it.server(['child']), immortal: it.server(['immortal']) });
    expect(it.pids().map(isRunning)).toEqual([true, true, true]);
    const begun = performance.now();
    await Promise.all([set.close(), set.close()]);
    expect(performance.now() - begun).toBeLessThan(8000);
    expect(it.pids().some(isRunning)).toBe(false);
  });

  test('calls that are under way end with it', async () => {
    const it = setup();
    const set = await open(it, { it: it.server() });
    const calling = call(set, 'deaf');
    await new Promise((resolve) => setTimeout(resolve, 30));
    await set.close();
    expect(await calling).toMatchObject({ content: 'The MCP server "it" was stopped.', is_error: true });
    expect((await call(set, 'echo', { text: 'x' })).is_error).toBe(true);
    expect(it.pids().length).toBe(1);
  });

  test('of our own process by SIGKILL closes the stdin of servers', async () => {
    const root = temporaryFolder();
    const it = setup();
    const server = it.server([], { env: { GOODBYE_FILE: join(root, 'goodbye') } });
    const outfile = join(root, 'open.mjs');
    await build({
      stdin: {
        contents: `export { createNodePorts } from './core/node/nodePorts.js'; export { ServerSession } from './core/tools/mcp/serverSession.js';`,
        resolveDir: process.cwd(),
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      outfile,
      banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    });
    writeFileSync(
      join(root, 'parent.mjs'),
      `import { createNodePorts, ServerSession } from ${JSON.stringify(pathToFileURL(outfile).href)};
      const session = new ServerSession({ client_id: 'it', definition: ${JSON.stringify(server)}, inputs: [], resolveInput: () => '',
        ports: createNodePorts(${JSON.stringify(root)}) });
      await session.tools(new AbortController().signal);
      process.kill(process.pid, 'SIGKILL');`,
    );
    const parent = spawn(process.execPath, [join(root, 'parent.mjs')], { stdio: 'inherit' });
    expect(await new Promise((resolve) => parent.once('exit', (_code, by) => resolve(by)))).toBe('SIGKILL');
    await expect.poll(() => existsSync(join(root, 'goodbye')) && readFileSync(join(root, 'goodbye'), 'utf8')).toBe('stdin closed');
    await expect.poll(() => it.pids().some(isRunning)).toBe(false);
  });
});
