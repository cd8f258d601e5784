import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import * as vscode from 'vscode';
import { goodAnswer, runWith, streamed } from './models.js';
import { until } from './support.js';

describe('The proxy settings of VS Code', () => {
  const seen: string[] = [];
  let proxy: Server;
  const http = () => vscode.workspace.getConfiguration('http');
  const address = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const set = async (name: string, value: string | undefined) => {
    await http().update(name, value, vscode.ConfigurationTarget.Global);
    await until(() => value === undefined || http().get(name) === value, `http.${name} to be ${value}`);
  };
  const profile = (base_url: string) => ({ provider: 'openai_compatible', model_name: 'm', base_url });

  before(async () => {
    proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamed(goodAnswer)));
    });
    proxy.on('connect', (request, socket: Socket) => {
      seen.push(`CONNECT ${request.url}`);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  });
  after(() => proxy.close());
  beforeEach(() => seen.splice(0));
  afterEach(async () => {
    await set('proxy', undefined);
    await set('proxySupport', undefined);
  });

  for (const support of ['override', 'on'] as const) {
    it(`lead a run through the proxy (http.proxySupport: ${support})`, async () => {
      await set('proxySupport', support);
      await set('proxy', address());
      const result = await runWith(profile('http://models.example.test/v1'));
      assert.deepEqual(result.output, goodAnswer, JSON.stringify(result.error));
      assert.deepEqual(seen, ['POST http://models.example.test/v1/chat/completions']);
    });
  }

  it('hold for https too', async () => {
    await set('proxy', address());
    assert.equal((await runWith(profile('https://models.example.test/v1'))).success, false);
    assert.deepEqual(seen, ['CONNECT models.example.test:443']);
  });

  it('are not overruled by variables of the environment', async () => {
    const { HTTP_PROXY } = process.env;
    process.env.HTTP_PROXY = 'http://127.0.0.1:9';
    try {
      await set('proxy', address());
      assert.deepEqual((await runWith(profile('http://models.example.test/v1'))).output, goodAnswer);
    } finally {
      if (HTTP_PROXY === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = HTTP_PROXY;
    }
  });
});
