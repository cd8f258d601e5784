import { createHash, randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createNodeFetch, type NodeFetch, type NodeFetchOptions } from '../../core/node/nodeFetch.js';
import { type LoopbackHttp, startLoopbackHttp, startLoopbackTcp } from '../support/loopbackHttp.js';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/node', name), 'utf8');
const tls = { key: fixture('test-only-key.pem'), cert: fixture('test-only-certificate.pem') };

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function client(options?: NodeFetchOptions): NodeFetch {
  const fetch = createNodeFetch(options);
  cleanups.push(() => fetch.close());
  return fetch;
}

async function serve(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  certificate?: typeof tls,
): Promise<LoopbackHttp> {
  const server = await startLoopbackHttp(handler, certificate);
  cleanups.push(() => server.close());
  return server;
}

async function serveRaw(text: string, end: 'keep' | 'cut' = 'keep'): Promise<LoopbackHttp> {
  const server = await startLoopbackTcp((socket) => {
    socket.once('data', () => socket.write(text, () => end === 'cut' && socket.destroy()));
  });
  cleanups.push(() => server.close());
  return server;
}

const echo = (request: IncomingMessage, response: ServerResponse) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(parts).toString('utf8') }));
  });
};

describe('a request', () => {
  test('carries method, path, query, headers and body', async () => {
    const { origin } = await serve(echo);
    const response = await client()(`${origin}/v1/x?y=1`, { method: 'post', headers: { 'X-Key': 'a' }, body: 'grüße' });
    expect(response).toMatchObject({ ok: true, status: 200, statusText: 'OK', url: `${origin}/v1/x?y=1`, redirected: false });
    expect(response.headers.get('Content-Type')).toBe('application/json');
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/v1/x?y=1',
      headers: { 'x-key': 'a', 'content-length': '7' },
      body: 'grüße',
    });
  });

  test('takes Headers, a list of headers, and bytes', async () => {
    const { origin } = await serve(echo);
    const fetch = client();
    const one = await fetch(origin, { method: 'PUT', headers: new Headers({ a: '1' }), body: new TextEncoder().encode('bytes') });
    expect(await one.json()).toMatchObject({ method: 'PUT', headers: { a: '1' }, body: 'bytes' });
    const two = await fetch(new URL(origin), { headers: [['b', '2']] });
    expect(await two.json()).toMatchObject({ method: 'GET', url: '/', headers: { b: '2' } });
  });

  test('with a header that cannot be sent is refused without quoting it', async () => {
    const error = await client()('http://127.0.0.1/', { headers: { authorization: 'Bearer very-secret\nx: 1' } }).catch(String);
    expect(error).toBe('TypeError: A header to send holds a character that no header may have.');
  });

  test('reuses its connection, also after an answer without a body', async () => {
    const server = await serve((request, response) => {
      response.statusCode = request.url === '/none' ? 204 : 200;
      response.end();
    });
    const fetch = client();
    for (const path of ['/', '/none', '/', '/none', '/']) {
      const response = await fetch(`${server.origin}${path}`);
      expect(await response.text()).toBe('');
    }
    expect(server.connections()).toBe(1);
  });

  test('reuses the connections of however many were made at a time', async () => {
    const count = 300;
    const waiting: ServerResponse[] = [];
    const server = await serve((_, response) => {
      waiting.push(response);
      if (waiting.length === count) for (const each of waiting.splice(0)) each.end('pong');
    });
    (server.server as Server).keepAliveTimeout = 60_000;
    const fetch = client();
    for (let round = 0; round < 2; round++) {
      const responses = await Promise.all(Array.from({ length: count }, () => fetch(server.origin)));
      await Promise.all(responses.map((response) => response.text()));
    }
    expect(server.connections()).toBe(count);
  });

  test.each([
    ['ftp://127.0.0.1/', 'Only http and https'],
    ['http://me:secret@127.0.0.1/', 'holds a user name or password'],
  ])('to %s is refused before anything is sent', async (address, message) => {
    const error = await client()(address).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('secret');
  });

  test('to a redirecting server is refused, and names only where it would have gone', async () => {
    const { origin } = await serve((_, response) => response.writeHead(307, { location: 'https://elsewhere.example/v1?token=t' }).end());
    const fetch = client();
    await expect(fetch(origin)).rejects.toMatchObject({
      code: 'ERR_REDIRECT_REFUSED',
      message: `${origin} answered with a redirect (307) to https://elsewhere.example, which is not followed because the request carries a key. Configure the final address.`,
    });
    expect((await fetch(origin, { redirect: 'manual' })).status).toBe(307);
  });

  test('runs over TLS with a CA of its own, and says so when the certificate is not trusted', async () => {
    const { origin } = await serve(echo, tls);
    expect(await (await client({ ca: tls.cert })(origin)).json()).toMatchObject({ method: 'GET' });
    await expect(client()(origin)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      message: expect.stringContaining('NODE_EXTRA_CA_CERTS') as string,
    });
  });
});

describe('an answer', () => {
  test('is read as text, JSON, bytes, buffer or blob, once, without a BOM', async () => {
    const { origin } = await serve((_, response) => response.end('\uFEFF{"a":"ü"}'));
    const fetch = client();
    const get = () => fetch(origin);
    expect(await (await get()).text()).toBe('{"a":"ü"}');
    expect(await (await get()).json()).toEqual({ a: 'ü' });
    expect((await (await get()).arrayBuffer()).byteLength).toBe(13);
    expect((await (await get()).blob()).size).toBe(13);
    const response = await get();
    expect(response.bodyUsed).toBe(false);
    await response.text();
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow('already been read');
  });

  test('keeps repeated headers apart from each other', async () => {
    const { origin } = await serve((_, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.setHeader('retry-after', '7');
      response.end();
    });
    const { headers } = await client()(origin);
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(headers.get('Retry-After')).toBe('7');
    expect(headers.has('RETRY-AFTER')).toBe(true);
    expect(headers.get('no-such-header')).toBeNull();
    const seen: string[] = [];
    headers.forEach((value, name) => void seen.push(`${name}: ${value}`));
    expect(seen).toEqual(expect.arrayContaining(['set-cookie: a=1', 'set-cookie: b=2']));
    expect([...headers].map(([name]) => name)).toEqual([...headers.keys()]);
    expect([...headers.values()]).toContain('7');
  });

  test('becomes a Blob, form data or two streams when asked', async () => {
    const { origin } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': 'application/x-www-form-urlencoded' }).end('a=1'),
    );
    const fetch = client();
    const get = () => fetch(origin);
    expect((await (await get()).blob()).type).toBe('application/x-www-form-urlencoded');
    expect((await (await get()).formData()).get('a')).toBe('1');
    const [left, right] = (await get()).body!.tee();
    expect(await Promise.all([new Response(left).text(), new Response(right).text()])).toEqual(['a=1', 'a=1']);
    const bytes: Uint8Array[] = [];
    await (await get()).body!.pipeTo(new WritableStream({ write: (chunk) => void bytes.push(chunk as Uint8Array) }));
    expect(Buffer.concat(bytes).toString()).toBe('a=1');
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (bytes: Buffer) => bytes],
  ] as const)('in %s is undone', async (encoding, compress) => {
    const text = JSON.stringify({ words: 'over and over '.repeat(2000) });
    const { origin } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(Buffer.from(text)));
    });
    expect(await (await client()(origin)).text()).toBe(text);
  });

  test('in two encodings is undone in the reverse order', async () => {
    const { origin } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'deflate, gzip' }).end(gzipSync(deflateSync('twice')));
    });
    expect(await (await client()(origin)).text()).toBe('twice');
  });

  test('in an unknown encoding, or damaged, or cut off, is an error', async () => {
    const whole = gzipSync(randomBytes(4000));
    const bodies: Record<string, [string, Buffer]> = {
      '/unknown': ['zstd', whole],
      '/damaged': ['gzip', Buffer.from('this is not gzip at all')],
      '/cut': ['gzip', whole.subarray(0, 1000)],
    };
    const { origin } = await serve((request, response) => {
      const [encoding, body] = bodies[request.url ?? '']!;
      response.writeHead(200, { 'content-encoding': encoding }).end(body);
    });
    const read = async (path: string) => (await client()(`${origin}${path}`)).text();
    await expect(read('/unknown')).rejects.toMatchObject({ code: 'ERR_CONTENT_ENCODING' });
    await expect(read('/damaged')).rejects.toMatchObject({ message: expect.stringContaining('damaged or cut off') as string });
    await expect(read('/cut')).rejects.toMatchObject({ message: expect.stringContaining('damaged or cut off') as string });
  });

  test('above the limit is refused, compressed or not, and its connection given up', async () => {
    const { origin } = await serve((request, response) => {
      const bytes = Buffer.alloc(1_000_001);
      if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes));
      else response.end(request.url === '/fits' ? bytes.subarray(1) : bytes);
    });
    const fetch = client({ maxBodyBytes: 1_000_000 });
    expect((await (await fetch(`${origin}/fits`)).arrayBuffer()).byteLength).toBe(1_000_000);
    await expect((await fetch(origin)).text()).rejects.toMatchObject({ code: 'ERR_BODY_TOO_LARGE' });
    await expect((await fetch(`${origin}/gzip`)).json()).rejects.toMatchObject({ code: 'ERR_BODY_TOO_LARGE' });
  });

  test('with too many headers is refused', async () => {
    const { origin } = await serveRaw(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`);
    await expect(client()(origin)).rejects.toMatchObject({ code: 'HPE_HEADER_OVERFLOW' });
  });

  test('that is not HTTP is refused', async () => {
    const { origin } = await serveRaw('SSH-2.0-OpenSSH_9\r\n');
    await expect(client()(origin)).rejects.toMatchObject({ message: expect.stringContaining('not HTTP') as string });
  });

  test.each([
    ['before its headers', 'HTTP/1.1 200', 'ECONNRESET'],
    ['before the length it promised', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'ECONNRESET'],
    ['before its last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n', 'ECONNRESET'],
  ])('that is cut %s is an error, never a short success', async (_, text, code) => {
    const { origin } = await serveRaw(text, 'cut');
    const read = async () => (await client()(origin)).text();
    await expect(read()).rejects.toMatchObject({ name: 'HttpFailure', code });
  });
});

describe('a streamed answer', () => {
  const numbers = (count: number) => (_: IncomingMessage, response: ServerResponse) => {
    let next = 0;
    const more = () => {
      while (next < count) if (!response.write(`${next++}\n`)) return void response.once('drain', more);
      response.end();
    };
    more();
  };

  test('comes as an async iterable and as a web stream with the same bytes', async () => {
    const { origin } = await serve(numbers(50_000));
    const expected = createHash('sha256')
      .update(Array.from({ length: 50_000 }, (_, number) => `${number}\n`).join(''))
      .digest('hex');
    const iterated = createHash('sha256');
    for await (const chunk of (await client()(origin)).body as unknown as AsyncIterable<Uint8Array>) iterated.update(chunk);
    expect(iterated.digest('hex')).toBe(expected);

    const reader = (await client()(origin)).body!.getReader();
    const read = createHash('sha256');
    for (let step = await reader.read(); !step.done; step = await reader.read()) read.update(step.value as Uint8Array);
    expect(read.digest('hex')).toBe(expected);

    const piped = (await client()(origin)).body!.pipeThrough(new TextDecoderStream());
    let length = 0;
    for await (const text of piped) length += text.length;
    expect(length).toBe(288_890);
  });

  test('arrives piece by piece, not when it is whole', async () => {
    const { origin } = await serve((_, response) => {
      response.write('first');
    });
    const response = await client()(origin);
    const { value } = await response.body!.getReader().read();
    expect(Buffer.from(value as Uint8Array).toString()).toBe('first');
  });

  test('is held back while it is not read', async () => {
    let sent = 0;
    const { origin } = await serve((_, response) => {
      response.setHeader('content-type', 'text/event-stream');
      const more = () => {
        while (sent < 200 * 1024 * 1024) {
          sent += 64 * 1024;
          if (!response.write(Buffer.alloc(64 * 1024))) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    const body = (await client()(origin)).body!.getReader();
    await body.read();
    await wait(300);
    const held = sent;
    expect(held).toBeLessThan(32 * 1024 * 1024);
    await wait(100);
    expect(sent).toBe(held);
    let received = 0;
    for (let step = await body.read(); !step.done; step = await body.read()) received += step.value.byteLength;
    expect(received).toBeGreaterThan(190 * 1024 * 1024);
  });

  test('that is not read to the end gives its connection up', async () => {
    let closed = 0;
    const { origin } = await serve((request, response) => {
      request.socket.on('close', () => closed++);
      numbers(1e9)(request, response);
    });
    const fetch = client();
    for await (const _ of (await fetch(origin)).body as unknown as AsyncIterable<Uint8Array>) break;
    await (await fetch(origin)).body!.cancel();
    await expect.poll(() => closed).toBe(2);
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  test('before the request sends nothing', async () => {
    const server = await serve(echo);
    await expect(client()(server.origin, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.connections()).toBe(0);
  });

  test.each([
    ['while it waits for the headers', ''],
    ['while it waits for more of the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    [
      'while it waits for more of a compressed body',
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 100\r\n\r\n\x1f\x8b\x08\x00\x00',
    ],
  ])('%s ends it at once with the reason, and cuts the connection', async (_, text) => {
    let closed = false;
    const server = await startLoopbackTcp((socket) => {
      socket.once('data', () => socket.write(Buffer.from(text, 'latin1')));
      socket.on('close', () => {
        closed = true;
      });
    });
    cleanups.push(() => server.close());
    const controller = new AbortController();
    const read = (async () => (await client()(server.origin, { signal: controller.signal })).text())();
    setTimeout(() => controller.abort(reason), 50);
    await expect(read).rejects.toBe(reason);
    await expect.poll(() => closed).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('between the headers and the reading of the body is not forgotten', async () => {
    const { origin } = await serve((_, response) => {
      response.write('half');
    });
    const controller = new AbortController();
    const response = await client()(origin, { signal: controller.signal });
    controller.abort('a reason that is not an error');
    await expect(response.text()).rejects.toBe('a reason that is not an error');
  });

  test('after the answer was read changes nothing', async () => {
    const { origin } = await serve(echo);
    const controller = new AbortController();
    const response = await client()(origin, { signal: controller.signal });
    expect(await response.json()).toMatchObject({ method: 'GET' });
    controller.abort(reason);
  });

  test('signal shared by 10,000 calls keeps no listener and causes no warning', async () => {
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    const { origin } = await serve((_, response) => response.end('ok'));
    const fetch = client({ maxSockets: 64 });
    const { signal } = new AbortController();
    let next = 0;
    const worker = async () => {
      while (next++ < 10_000) await (await fetch(origin, { signal })).text();
    };
    await Promise.all(Array.from({ length: 64 }, worker));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });
});

describe('a broken connection', () => {
  test('to a closed port says that nothing answers there, and keeps the cause', async () => {
    const server = await serve(echo);
    await server.close();
    cleanups.pop();
    await expect(client()(server.origin)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      message: `Nothing answers at ${server.origin} (ECONNREFUSED). Is the server running, and is the address right?`,
      cause: { code: 'ECONNREFUSED' },
    });
  });

  test('that was kept alive and is stale is replaced without an error', async () => {
    let answered = 0;
    const server = await startLoopbackTcp((socket) => {
      // Answers one request per connection, then cuts it when the next one arrives.
      let requests = 0;
      socket.on('data', () => {
        if (++requests > 1) {
          socket.resetAndDestroy();
          return;
        }
        answered++;
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    cleanups.push(() => server.close());
    const fetch = client();
    for (let call = 0; call < 3; call++) expect(await (await fetch(server.origin, { method: 'POST', body: 'x' })).text()).toBe('ok');
    expect(answered).toBe(3);
  });

  test('that is new is not tried again', async () => {
    const server = await startLoopbackTcp((socket) => socket.once('data', () => socket.destroy()));
    cleanups.push(() => server.close());
    await expect(client()(server.origin)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(server.connections()).toBe(1);
  });
});
