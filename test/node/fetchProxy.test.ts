import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type ProxyChoice, proxyFromEnvironment } from '../../core/node/httpProxy.js';
import { createNodeFetch } from '../../core/node/nodeFetch.js';
import { type LoopbackHttp, startLoopbackHttp } from '../support/loopbackHttp.js';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/node', name), 'utf8');
const tls = { key: fixture('test-only-key.pem'), cert: fixture('test-only-certificate.pem') };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serve(...given: Parameters<typeof startLoopbackHttp>): Promise<LoopbackHttp> {
  const server = await startLoopbackHttp(...given);
  cleanups.push(() => server.close());
  return server;
}

function client(proxy: ProxyChoice) {
  const fetch = createNodeFetch({ proxy, ca: tls.cert });
  cleanups.push(() => fetch.close());
  return fetch;
}

/** A proxy that forwards plain requests and opens tunnels, and keeps what it was asked. */
async function startProxy(authorization?: string): Promise<{ url: URL; asked: string[] }> {
  const asked: string[] = [];
  const server = await startLoopbackHttp((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const forwarded = request(incoming.url!, { method: incoming.method!, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  server.server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    if (incoming.headers['proxy-authorization'] !== authorization) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host, port] = incoming.url!.split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    socket.on('error', () => upstream.destroy());
    socket.on('close', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  cleanups.push(() => server.close());
  return { url: new URL(server.origin), asked };
}

test('plain requests go through the proxy with the whole address', async () => {
  const { origin } = await serve((incoming, response) => response.end(`${incoming.headers.host} ${incoming.url}`));
  const proxy = await startProxy();
  const response = await client(() => proxy.url)(`${origin}/v1?x=1`);
  expect(await response.text()).toBe(`${new URL(origin).host} /v1?x=1`);
  expect(proxy.asked).toEqual([`GET ${origin}/v1?x=1`]);
});

test('TLS runs through a tunnel that is opened once', async () => {
  const { origin, port } = await serve((_, response) => response.end('secret'), tls);
  const proxy = await startProxy('Basic bWU6cCFzcw==');
  const fetch = client(() => new URL(`http://me:p%21ss@${proxy.url.host}`));
  for (let call = 0; call < 3; call++) expect(await (await fetch(`${origin}/`, { method: 'POST', body: 'x' })).text()).toBe('secret');
  expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${port}`]);
});

test('a proxy that refuses the tunnel is named, its password is not', async () => {
  const { origin } = await serve((_, response) => response.end(), tls);
  const proxy = await startProxy('Basic other');
  const error = (await client(() => new URL(`http://me:hush@${proxy.url.host}`))(origin).catch((caught: unknown) => caught)) as Error;
  expect(error.message).toBe(
    `The proxy ${proxy.url.host} opened no connection to ${new URL(origin).host}: it answered 407 Proxy Authentication Required.`,
  );
});

const choose = (variables: Record<string, string>) => {
  const proxy = proxyFromEnvironment({ get: (name) => variables[name] });
  return (address: string) => proxy(new URL(address))?.href;
};

test('the variables choose by scheme, upper case before lower case, ALL_PROXY last', () => {
  const proxy = choose({ HTTPS_PROXY: 'http://secure:1', https_proxy: 'http://lower:2', http_proxy: 'plain:3' });
  expect(proxy('https://api.example')).toBe('http://secure:1/');
  expect(proxy('http://api.example')).toBe('http://plain:3/');
  expect(choose({ ALL_PROXY: 'https://all:4' })('http://api.example')).toBe('https://all:4/');
  expect(choose({})('https://api.example')).toBeUndefined();
});

test('NO_PROXY and the own machine are reached directly', () => {
  const proxy = choose({ ALL_PROXY: 'http://p:1', NO_PROXY: 'corp.example, .inner.example other.example:8443' });
  for (const direct of [
    'https://corp.example',
    'https://a.corp.example',
    'https://x.inner.example',
    'https://other.example:8443',
    'http://localhost:11434',
    'http://127.0.0.1:1234',
    'http://[::1]:1234',
  ]) {
    expect(proxy(direct), direct).toBeUndefined();
  }
  for (const proxied of ['https://notcorp.example', 'https://other.example', 'https://corp.example.org']) {
    expect(proxy(proxied), proxied).toBe('http://p:1/');
  }
  expect(choose({ ALL_PROXY: 'http://p:1', NO_PROXY: '*' })('https://api.example')).toBeUndefined();
});

test('a proxy of another kind is refused', () => {
  expect(() => choose({ ALL_PROXY: 'socks5://p:1' })('https://api.example')).toThrow('no other kind is supported');
});
