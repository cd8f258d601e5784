import { expect, test } from 'vitest';
import { tooLongWords } from '../../../core/tools/mcp/limits.js';
import { httpServer } from '../../fixtures/mcp/http.js';
import { call, open, sessionOf, setup } from './support.js';

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

test('headers are filled in, sent with every request, and told nowhere', async () => {
  const it = setup({ DOCS_TOKEN: 'sesame-street' });
  const server = await httpServer(() => text('the token is sesame-street'));
  const set = await open(it, { web: { url: server.url, headers: { Authorization: 'Bearer ${env:DOCS_TOKEN}' } } });
  expect((await call(set, 'it')).content).toBe('the token is *****');
  await set.close();
  expect(server.requests.map(({ method, rpc }) => rpc ?? method)).toEqual(
    expect.arrayContaining(['initialize', 'notifications/initialized', 'tools/list', 'tools/call', 'DELETE']),
  );
  for (const { headers } of server.requests) expect(headers.authorization).toBe('Bearer sesame-street');
  expect(it.log()).not.toContain('sesame');
});

test('an answer as a stream of events, with 20 MB', { timeout: 20_000 }, async () => {
  const it = setup();
  const server = await httpServer(({ id }, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': hello\n\n');
    response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: text('x'.repeat(20 * 1024 * 1024)) })}\n\n`);
  });
  const set = await open(it, { web: { url: server.url } });
  expect((await call(set, 'it')).content.length).toBe(20 * 1024 * 1024);
});

test.each(['application/json', 'text/event-stream'])('numbers of any length arrive as they are written, as %s', async (type) => {
  const it = setup();
  const server = await httpServer(({ id }, response) => {
    response.writeHead(200, { 'content-type': type });
    const answer = `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"order":2512292042121000001,"text":"é 1e400","n":0.1}}}`;
    const written = Buffer.from(type === 'application/json' ? answer : `id: 2512292042121000001\r\ndata: ${answer}\r\n\r\n`);
    // In pieces, one of which ends in the middle of a character.
    for (let at = 0; at < written.length; at += 7) response.write(written.subarray(at, at + 7));
    response.end();
  });
  const set = await open(it, { web: { url: server.url } });
  expect((await call(set, 'it')).value).toEqual({ order: '2512292042121000001', text: 'é 1e400', n: 0.1 });
});

test('a stream that breaks off fails the call at once', async () => {
  const it = setup();
  let count = 0;
  const server = await httpServer(({ id }, response) => {
    count += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (count === 1) response.end(': nothing more\n\n');
    else if (count === 2) response.write('event: message\ndata: {"half', () => response.destroy());
    else response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: text('fine') })}\n\n`);
  });
  const set = await open(it, { web: { url: server.url } });
  const broken = { is_error: true, can_retry: true, content: expect.stringContaining('The answer ended before it was complete') };
  const begun = performance.now();
  expect(await call(set, 'it')).toMatchObject(broken);
  expect(await call(set, 'it')).toMatchObject(broken);
  expect(await call(set, 'it')).toEqual({ content: 'fine' });
  expect(performance.now() - begun).toBeLessThan(20_000);
});

test('an answer of more than 64 MB is given up', { timeout: 20_000 }, async () => {
  const it = setup();
  const server = await httpServer((_rpc, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const megabyte = 'x'.repeat(1024 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(megabyte));
    };
    response.on('drain', more);
    more();
  });
  const set = await open(it, { web: { url: server.url } });
  expect(await call(set, 'it')).toMatchObject({ is_error: true, content: expect.stringContaining('more than 64 MB') });
});

test('an array of very many messages is given up', async () => {
  const it = setup();
  const server = await httpServer((_rpc, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`[${'{"jsonrpc":"2.0","method":"x"},'.repeat(500_000)}{}]`);
  });
  const set = await open(it, { web: { url: server.url } });
  expect(await call(set, 'it')).toMatchObject({ is_error: true, content: expect.stringContaining('more than 1 MB of them in an array') });
});

test.each([
  ['once: a new one is opened and the call is sent again', 1],
  ['and forgets the new one too: the call fails', 2],
])('a server that forgets the session %s', async (_name, times) => {
  const it = setup();
  let left = times;
  const server = await httpServer(
    () => text('fine'),
    (request, response) => {
      if (left === 0 || request.headers['mcp-session-id'] === undefined || server.requests.at(-1)?.rpc !== 'tools/call') return false;
      left -= 1;
      response.writeHead(404).end();
      return true;
    },
  );
  const set = await open(it, { web: { url: server.url } });
  const fine = { content: 'fine' };
  const failed = { content: 'The MCP server "web" has forgotten the session.', is_error: true, can_retry: true };
  expect(await call(set, 'it')).toEqual(times === 1 ? fine : failed);
  expect(await call(set, 'it')).toEqual(fine);
  expect(server.requests.filter(({ rpc }) => rpc === 'initialize').length).toBe(times + 1);
});

test.each([
  [401, '{"error":"token expired"}', /refused: HTTP status 401, \{"error":"token expired"\}\. Check its headers in mcp\.json\.$/],
  [500, '', /refused: HTTP status 500\.$/],
])('a server that answers %i is not taken for one of MCP', async (status, body, words) => {
  const it = setup();
  const server = await httpServer(
    () => undefined,
    (_request, response) => {
      response.writeHead(status).end(body);
      return true;
    },
  );
  await expect(open(it, { web: { url: server.url } })).rejects.toThrow(words);
});

test('a page that is not a server, a port without a server, an address that is none', async () => {
  const it = setup();
  const page = await httpServer(
    () => undefined,
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
      return true;
    },
  );
  await expect(open(it, { web: { url: page.url } })).rejects.toThrow(/cannot be reached: Unexpected content type: text\/html/);
  await expect(open(it, { web: { url: 'http://127.0.0.1:9/mcp' } })).rejects.toThrow(/cannot be reached: .*[a-z)][.?]$/);
  await expect(open(it, { web: { url: '${PROTOCOL:-ftp}://x' } })).rejects.toThrow('not an address that begins with http');
});

/** Leaves `notifications/initialized` unanswered. */
const deaf = () =>
  httpServer(
    () => text('fine'),
    (_request, _response, rpc) => rpc === 'notifications/initialized',
  );

test('a server that never takes the last message of the connect is given up after its time limit', async () => {
  const it = setup();
  const server = await deaf();
  const begun = performance.now();
  await expect(open(it, { web: { url: server.url, timeout_ms: 300 } })).rejects.toThrow(
    'The MCP server "web" did not answer within 300 ms.',
  );
  expect(performance.now() - begun).toBeLessThan(5000);
});

test('a run that is cancelled, or a close, ends a connect that goes on', async () => {
  const it = setup();
  const server = await deaf();
  const isConnecting = () => expect.poll(() => server.requests.some(({ rpc }) => rpc === 'notifications/initialized')).toBe(true);
  const controller = new AbortController();
  const opening = open(it, { web: { url: server.url } }, {}, controller.signal);
  await isConnecting();
  controller.abort(new Error('enough'));
  await expect(opening).rejects.toThrow('enough');

  server.requests.length = 0;
  const session = sessionOf(it, { url: server.url });
  const listing = session.tools(new AbortController().signal);
  await isConnecting();
  await session.close();
  await expect(listing).rejects.toThrow('was stopped');
});

test('pages that all come late are given up together', async () => {
  const it = setup();
  let pages = 0;
  const server = await httpServer(
    () => undefined,
    (_request, response, rpc) => {
      if (rpc !== 'tools/list') return false;
      pages += 1;
      const result = { tools: [{ name: `t${pages}`, inputSchema: { type: 'object' } }], nextCursor: `${pages}` };
      // Ids count up from that of `initialize`, which is 0.
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: pages, result }));
      }, 150);
      return true;
    },
  );
  await expect(open(it, { web: { url: server.url, timeout_ms: 600 } })).rejects.toThrow('did not answer within 600 ms');
  expect(pages).toBeLessThan(6);
});

/** A server that writes without end to the stream it is listened to on. */
const flooding = (text: string) =>
  httpServer(
    () => new Promise(() => undefined),
    (request, response) => {
      if (request.method !== 'GET') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = () => {
        while (!response.destroyed && response.write(text));
      };
      response.on('drain', more);
      more();
      return true;
    },
  );

test.each([
  ['an endless line', 'x'.repeat(1024 * 1024), tooLongWords],
  ['an event of endless lines', `data: ${'x'.repeat(100_000)}\r\n`, tooLongWords],
  [
    'endless requests',
    'data: {"jsonrpc":"2.0","id":"p","method":"ping"}\n\n'.repeat(1000),
    'sends requests faster than it reads their answers',
  ],
])('%s on the stream of messages ends the connection', { timeout: 30_000 }, async (_name, line, words) => {
  const it = setup();
  const server = await flooding(line);
  // Some end it before the tools are listed, some during the call.
  const told = await open(it, { web: { url: server.url } }).then(
    async (set) => (await call(set, 'it')).content,
    (error: Error) => error.message,
  );
  expect(told).toBe(`The MCP server "web" ${words}.`);
});

test('a stream of events may go on for ever when each of them is short', { timeout: 30_000 }, async () => {
  const it = setup();
  const server = await flooding(`: ${'x'.repeat(1024 * 1024)}\r\n\r\n`);
  const set = await open(it, { web: { url: server.url } });
  const calling = call(set, 'it', {}, AbortSignal.timeout(1500));
  await expect(calling).rejects.toThrow('timeout');
});

test('of a refusal without end only the beginning is read', async () => {
  const it = setup();
  const server = await httpServer((_rpc, response) => {
    response.writeHead(500, { 'content-type': 'text/event-stream' });
    const more = () => {
      while (!response.destroyed && response.write('out of order '.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  });
  const set = await open(it, { web: { url: server.url } });
  expect((await call(set, 'it')).content).toMatch(/refused: HTTP status 500, out of order/);
});

test('a server that never answers over HTTP is given up after its time limit', async () => {
  const it = setup();
  const server = await httpServer(() => new Promise(() => undefined));
  const set = await open(it, { web: { url: server.url, timeout_ms: 1000 } });
  expect(await call(set, 'it')).toEqual({
    content: 'The MCP server "web" did not answer within 1000 ms.',
    is_error: true,
    can_retry: true,
  });
  const begun = performance.now();
  await set.close();
  expect(performance.now() - begun).toBeLessThan(8000);
});
