import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import type { McpServer } from '../../../core/generated/types.js';
import { type QuestionField, questionFields, type ServerQuestion, typedValue } from '../../../core/tools/mcp/serverQuestion.js';
import { httpServer } from '../../fixtures/mcp/http.js';
import { call, open, type Setup, sessionOf, setup } from './support.js';

const signal = new AbortController().signal;
const modern = fileURLToPath(new URL('../../fixtures/mcp/modern.mjs', import.meta.url));

function modernServer(it: Setup, ...args: readonly string[]): McpServer {
  return {
    command: process.execPath,
    args: [modern, ...args],
    env: { PID_FILE: join(it.root, 'pids'), LOG_FILE: join(it.root, 'log') },
  };
}

const methods = async (it: Setup) => (await it.ports.files.readText('log')).trim().split('\n');

test.each([[], ['--modern-only']])('a server of 2026-07-28 over stdio is asked without initialize: %j', async (...args: string[]) => {
  const it = setup();
  const session = sessionOf(it, modernServer(it, ...args));
  const tools = await session.tools(signal);
  expect([...tools.keys()]).toEqual(['add', 'deploy']);
  expect(session.protocol).toBe('2026-07-28');
  expect(await session.callTool(tools.get('add')!, { a: 2, b: 3 }, signal)).toMatchObject({ content: [{ type: 'text', text: '5' }] });
  expect(await methods(it)).not.toContain('initialize');
  expect(it.pids().length).toBe(1);
});

test('it tells of new tools, which the next call sees', async () => {
  const it = setup();
  const session = sessionOf(it, modernServer(it));
  const add = (await session.tools(signal)).get('add')!;
  await expect.poll(() => methods(it)).toContain('subscriptions/listen');
  await session.callTool(add, { a: 1, b: 1, grow: true }, signal);
  await expect.poll(async () => [...(await session.tools(signal)).keys()]).toEqual(['add', 'deploy', 'more']);
});

test('one that the lock knows to be older is not asked for 2026-07-28', async () => {
  const it = setup();
  const session = sessionOf(it, modernServer(it), { protocol: '2025-11-25' });
  await session.tools(signal);
  expect(session.protocol).toMatch(/^2025-/);
  expect(await methods(it)).not.toContain('server/discover');
});

test('over HTTP each request says its method, its tool and its revision in headers, and arguments that the tool wants there', async () => {
  const it = setup();
  const seen: Record<string, unknown>[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'web', version: '1' }, { capabilities: { tools: {} } });
    const inputSchema = { type: 'object' as const, properties: { region: { type: 'string' as const, 'x-mcp-header': 'Region' } } };
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'look', inputSchema }] }));
    server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text: 'seen' }], structuredContent: { order: 12 } }));
    return server;
  });
  const web = createServer(async (request, response) => {
    const { headers, method = 'GET', url = '/' } = request;
    seen.push(headers);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = method === 'POST' ? { body: Buffer.concat(parts) } : {};
    const answer = await handler.fetch(new Request(new URL(url, 'http://localhost'), { method, headers: headers as never, ...body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void web.close());
  const set = await open(it, { web: { url: `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp` } });
  expect(await call(set, 'look', { region: 'eu' })).toMatchObject({ content: 'seen', value: { order: 12 } });
  const last = seen.find((headers) => headers['mcp-method'] === 'tools/call');
  expect(last).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-name': 'look', 'mcp-param-region': 'eu' });
  expect(seen.some((headers) => 'mcp-session-id' in headers)).toBe(false);
});

/** A program that speaks JSON lines; `answer` gets each request. */
const program = (answer: string): McpServer => ({
  command: process.execPath,
  args: [
    '-e',
    `require('node:fs').appendFileSync(process.env.PID_FILE, process.pid + '\\n');
     const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
     const old = ({ id, method }) => {
       if (method === 'initialize') say({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } } });
       else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'it', inputSchema: { type: 'object' } }] } });
       else if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: 'fine' }] } });
       else if (id !== undefined) say({ id, error: { code: -32601, message: 'Method not found' } });
     };
     let state = {};
     require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => { const request = JSON.parse(line); (${answer})(request, old, say, state); });`,
  ],
});

const withPids = (it: Setup, server: McpServer): McpServer => ({ ...server, env: { PID_FILE: join(it.root, 'pids') } });

test.each([
  ['refuses what it does not know', '(request, old) => old(request)', 1],
  ['ends at any message before initialize', "(request, old) => request.method === 'server/discover' ? process.exit(1) : old(request)", 2],
  ['says nothing to what it does not know', "(request, old) => { if (request.method !== 'server/discover') old(request); }", 1],
  [
    'names revisions that nobody knows',
    "(request, old, say) => request.method === 'server/discover' ? say({ id: request.id, result: { resultType: 'complete', supportedVersions: ['2031-01-01'], capabilities: {}, ttlMs: 0, cacheScope: 'private' } }) : old(request)",
    1,
  ],
  [
    'answers in a form of its own',
    "(request, old, say) => request.method === 'server/discover' ? say({ id: request.id, result: 'yes' }) : old(request)",
    1,
  ],
])('an old server that %s works, and is asked at once when it is known', async (_name, answer, starts) => {
  const it = setup();
  const server = withPids(it, { ...program(answer), timeout_ms: 3000 });
  const session = sessionOf(it, server);
  const tools = await session.tools(signal);
  expect(await session.callTool(tools.get('it')!, {}, signal)).toMatchObject({ content: [{ text: 'fine' }] });
  expect(session.protocol).toBe('2025-06-18');
  expect(it.pids().length).toBe(starts);
  await session.close();
  const begun = performance.now();
  const again = sessionOf(it, server, { protocol: session.protocol });
  await again.tools(signal);
  expect(it.pids().length).toBe(starts + 1);
  expect(performance.now() - begun).toBeLessThan(1400);
});

test('one that changes to an older revision between calls fails the call, with what it said', async () => {
  const it = setup();
  const discover = `{ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' }`;
  const list = `{ resultType: 'complete', tools: [{ name: 'it', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' }`;
  const answer = `(request, old, say) => request.method === 'server/discover' ? say({ id: request.id, result: ${discover} })
    : request.method === 'tools/list' ? say({ id: request.id, result: ${list} }) : old(request)`;
  const session = sessionOf(it, withPids(it, program(answer)));
  const tools = await session.tools(signal);
  await expect(session.callTool(tools.get('it')!, {}, signal)).rejects.toThrow(/resultType/);
});

const discovered = (versions: string) =>
  `{ resultType: 'complete', supportedVersions: ${versions}, capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' }`;

test.each([
  [
    'says that it speaks 2026-07-28 and then wants initialize',
    `(request, old, say) => request.method === 'server/discover' ? say({ id: request.id, result: ${discovered("['2026-07-28', '2025-06-18']")} })
      : say({ id: request.id, error: { code: -32600, message: 'Server not initialized' } })`,
    /Server not initialized/,
  ],
  [
    'says that it speaks 2026-07-28 and lists tools in the older form',
    `(request, old, say) => request.method === 'server/discover' ? say({ id: request.id, result: ${discovered("['2026-07-28']")} }) : old(request)`,
    /resultType/,
  ],
  ['refuses both', "(request, old, say) => say({ id: request.id, error: { code: -32000, message: 'Not today' } })", /Not today/],
  [
    'names revisions that nobody knows and refuses initialize',
    `(request, old, say) => request.method === 'server/discover' ? say({ id: request.id, result: ${discovered("['2031-01-01']")} })
      : say({ id: request.id, error: { code: -32601, message: 'No initialize here' } })`,
    /No initialize here|2031-01-01/,
  ],
  [
    'answers initialize in a revision that nobody knows',
    `(request, old, say) => request.method === 'initialize'
      ? say({ id: request.id, result: { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'x', version: '1' } } })
      : old(request)`,
    /1999-01-01/,
  ],
  [
    'answers both with something else',
    "(request, old, say) => say({ id: request.id, result: { supportedVersions: 'all', protocolVersion: 7 } })",
    /./,
  ],
])('a server that %s fails, with what it said', async (_name, answer, words) => {
  const it = setup();
  const session = sessionOf(it, withPids(it, { ...program(answer), timeout_ms: 3000 }));
  await expect(session.tools(signal)).rejects.toThrow(words);
});

test('one that answers everything twice works', async () => {
  const it = setup();
  const session = sessionOf(it, withPids(it, { ...program('(request, old) => { old(request); old(request); }'), timeout_ms: 3000 }));
  const tools = await session.tools(signal);
  expect(await session.callTool(tools.get('it')!, {}, signal)).toMatchObject({ content: [{ text: 'fine' }] });
});

test('one that has become newer than the lock says is asked the newer way', async () => {
  const it = setup();
  const session = sessionOf(it, modernServer(it, '--modern-only'), { protocol: '2025-06-18' });
  expect([...(await session.tools(signal)).keys()]).toEqual(['add', 'deploy']);
  expect(session.protocol).toBe('2026-07-28');
});

test.each([
  ['newer', '2025-06-18', '2026-07-28'],
  ['older', '2026-07-28', '2025-06-18'],
])('one that is %s when it is started again in the middle of a run is spoken to in its revision', async (which, before, after) => {
  const it = setup();
  const list = `{ resultType: 'complete', tools: [{ name: 'it', inputSchema: { type: 'object' } }], ttlMs: 0, cacheScope: 'private' }`;
  const answer = `(request, old, say) => {
    const starts = require('node:fs').readFileSync(process.env.PID_FILE, 'utf8').trim().split('\\n').length;
    const isFirst = starts <= (${JSON.stringify(which)} === 'newer' ? 2 : 1);
    if (request.method === 'tools/call' && isFirst) process.exit(1);
    if (isFirst === (${JSON.stringify(which)} === 'newer')) return request.method === 'server/discover' ? process.exit(1) : old(request);
    if (request.method === 'server/discover') say({ id: request.id, result: ${discovered("['2026-07-28']")} });
    else if (request.method === 'tools/list') say({ id: request.id, result: ${list} });
    else if (request.method === 'tools/call') say({ id: request.id, result: { resultType: 'complete', content: [{ type: 'text', text: 'fine' }] } });
    else if (request.id !== undefined) say({ id: request.id, error: { code: -32601, message: 'Method not found' } });
  }`;
  const session = sessionOf(it, withPids(it, { ...program(answer), timeout_ms: 5000 }));
  const first = await session.tools(signal);
  expect(session.protocol).toBe(before);
  await expect(session.callTool(first.get('it')!, {}, signal)).rejects.toThrow(/ended|exit/);
  const tools = await session.tools(signal);
  expect(await session.callTool(tools.get('it')!, {}, signal)).toMatchObject({ content: [{ text: 'fine' }] });
  expect(session.protocol).toBe(after);
});

test('an old server over HTTP is asked with initialize, after it has refused the other way', async () => {
  const it = setup();
  const server = await httpServer(() => ({ content: [{ type: 'text', text: 'fine' }] }));
  const session = sessionOf(it, { url: server.url });
  const tools = await session.tools(signal);
  expect(await session.callTool(tools.get('it')!, {}, signal)).toMatchObject({ content: [{ text: 'fine' }] });
  expect(session.protocol).toMatch(/^2025-/);
  await session.close();
  const before = server.requests.length;
  const again = sessionOf(it, { url: server.url }, { protocol: session.protocol });
  await again.tools(signal);
  expect(server.requests.slice(before).map(({ rpc }) => rpc)).not.toContain('server/discover');
});

const answers = { branch: 'next', count: 3, sure: true };

test.each([
  ['answers', answers, { action: 'accept', content: answers }],
  ['declines', 'decline' as const, { action: 'decline' }],
  ['leaves', 'cancel' as const, { action: 'cancel' }],
])('what a tool asks during a call is put to the user, who %s; no time limit runs meanwhile', async (_name, answer, expected) => {
  const it = setup();
  const asked: ServerQuestion[] = [];
  const session = sessionOf(
    it,
    { ...modernServer(it), timeout_ms: 1500 },
    {
      answer: async (question) => {
        asked.push(question);
        await new Promise((resolve) => setTimeout(resolve, 2000));
        return answer;
      },
    },
  );
  const deploy = (await session.tools(signal)).get('deploy')!;
  const { content } = (await session.callTool(deploy, {}, signal)) as { content: { text: string }[] };
  expect(JSON.parse(content[0]!.text)).toEqual(expected);
  const title = (name: string) => ({ value: name, title: name });
  expect(asked.map(({ signal: _signal, ...question }) => question)).toEqual([
    {
      client_id: 'it',
      message: 'Which branch?',
      fields: [
        { name: 'branch', title: 'branch', type: 'string', options: [title('main'), title('next')], required: true },
        { name: 'count', title: 'count', type: 'integer', required: true },
        { name: 'sure', title: 'sure', type: 'boolean', required: true },
        { name: 'note', title: 'note', type: 'string', required: false },
      ],
    },
  ]);
});

test('where nobody can be asked, the call is refused with the reason', async () => {
  const it = setup();
  const session = sessionOf(it, modernServer(it));
  const deploy = (await session.tools(signal)).get('deploy')!;
  await expect(session.callTool(deploy, {}, signal)).rejects.toThrow(/elicitation/);
});

test.each<[string, QuestionField, string, unknown]>([
  ['a number', { name: 'a', title: 'a', type: 'number', required: true }, '1.5', 1.5],
  ['a whole number', { name: 'a', title: 'a', type: 'integer', required: true }, '1.5', undefined],
  ['nothing for a number', { name: 'a', title: 'a', type: 'number', required: true }, ' ', undefined],
  ['another word for yes', { name: 'a', title: 'a', type: 'boolean', required: true }, 'yes', undefined],
  ['a value that is not offered', { name: 'a', title: 'a', type: 'string', options: [], required: true }, 'x', undefined],
])('%s that is typed', (_name, field, text, expected) => {
  expect(typedValue(field, text)).toBe(expected);
});

test('a form with lists or objects is not shown', () => {
  expect(questionFields({ type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } })).toBeUndefined();
  expect(questionFields({ type: 'object', properties: {} })).toBeUndefined();
});
