import { expect, test } from 'vitest';
import { httpServer } from '../../fixtures/mcp/http.js';
import { call, open, setup } from './support.js';

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

test('a session that the server has forgotten is opened again', async () => {
  const it = setup();
  let forgets = true;
  const server = await httpServer(
    () => text('fine'),
    (request, response) => {
      if (!forgets || request.headers['mcp-session-id'] === undefined || server.requests.at(-1)?.rpc !== 'tools/call') return false;
      forgets = false;
      response.writeHead(404).end();
      return true;
    },
  );
  const set = await open(it, { web: { url: server.url } });
  expect(await call(set, 'it')).toMatchObject({ is_error: true, can_retry: true });
  expect(await call(set, 'it')).toEqual({ content: 'fine' });
  expect(server.requests.filter(({ rpc }) => rpc === 'initialize').length).toBe(2);
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

test('a page that is no server, a port without a server, an address that is none', async () => {
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
  await expect(open(it, { web: { url: '${PROTOCOL:-ftp}://x' } })).rejects.toThrow('no address that begins with http');
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
