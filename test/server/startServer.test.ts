import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  CancellationTokenSource,
  createConnection,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { AnyFeature, Feature } from '../../server/feature.js';
import { createLogger } from '../../server/logger.js';
import { createNodeHost } from '../../server/nodeHost.js';
import { requestFailed } from '../../server/requestFailed.js';
import { startServer } from '../../server/startServer.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

/** A server with these features, and a client of it, in one process. Nothing has been said yet. */
function start(...features: readonly AnyFeature[]) {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const connection = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
  const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  const logs: string[] = [];
  client.onNotification('window/logMessage', ({ type, message }: { type: number; message: string }) => {
    // Warnings and errors.
    if (type <= 2) logs.push(message);
  });
  client.listen();
  const createHost = async () => createNodeHost({ trusted: true });
  startServer(connection, { logger: createLogger(connection.console), features, createHost });
  onTestFinished(() => {
    client.dispose();
    up.end();
  });
  return { client, logs };
}

async function connect(...features: readonly AnyFeature[]) {
  const { client, logs } = start(...features);
  await client.sendRequest('initialize', { capabilities: {}, rootUri: pathToFileURL(temporaryFolder()).href });
  await client.sendNotification('initialized', {});
  return { client, logs };
}

function feature(method: string, handle: Feature<unknown, unknown>['handle']): AnyFeature {
  return { method, needs: [], capability: () => ({}), handle };
}

const uri = 'file:///somewhere/x.json';
const about = { textDocument: { uri } };
const key = `sk-${'a1B2c3D4'.repeat(6)}`;

describe('the order of things', () => {
  test('begins with initialize, before which requests are refused and notifications ignored', async () => {
    const { client, logs } = start(feature('test/works', () => 'fine'));
    await client.sendNotification('workspace/didChangeConfiguration', { settings: {} });
    await expect(client.sendRequest('test/works', about)).rejects.toMatchObject({ code: -32002 });
    await client.sendRequest('initialize', { capabilities: {}, rootUri: null });
    expect(await client.sendRequest('test/works', about)).toBe('fine');
    expect(logs).toEqual([]);
  });

  test('is kept while the server is still loading', async () => {
    const { client } = start(feature('test/text', (_params, { workspace }) => workspace.document(uri)?.text));
    await client.sendRequest('initialize', { capabilities: {}, rootUri: null });
    const told = [
      client.sendNotification('initialized', {}),
      client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text: '1' } }),
    ];
    const first = client.sendRequest('test/text', {});
    told.push(client.sendNotification('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text: '2' }] }));
    const second = client.sendRequest('test/text', {});
    expect([await first, await second]).toEqual(['1', '2']);
    await Promise.all(told);
  });
});

describe('a fault of the server', () => {
  test('is answered, and logged without secrets, and the next request is answered as ever', async () => {
    const { client, logs } = await connect(
      feature('test/fails', () => {
        throw new TypeError(`cannot read ${key} of undefined`);
      }),
      feature('test/works', () => 'fine'),
    );
    await expect(client.sendRequest('test/fails', about)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('test/fails'),
    });
    expect(await client.sendRequest('test/works', about)).toBe('fine');
    expect(logs).toHaveLength(1);
    expect(logs[0]).toContain('TypeError');
    expect(logs[0]).not.toContain(key);
  });

  test('in a promise is one too', async () => {
    const { client, logs } = await connect(feature('test/fails', () => Promise.reject(new Error('later'))));
    await expect(client.sendRequest('test/fails', about)).rejects.toMatchObject({ code: -32603 });
    expect(logs).toHaveLength(1);
  });

  test('is not a refusal, which is told in its own words and not logged', async () => {
    const { client, logs } = await connect(
      feature('test/refuses', () => {
        throw requestFailed('Nothing here can be renamed.');
      }),
    );
    await expect(client.sendRequest('test/refuses', about)).rejects.toMatchObject({
      code: -32803,
      message: 'Nothing here can be renamed.',
    });
    expect(logs).toEqual([]);
  });
});

/** Answers when it is aborted, with why. */
const waits = feature(
  'test/waits',
  (_params, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
);

describe('a request that is no longer needed', () => {
  test('ends when it is cancelled', async () => {
    const { client, logs } = await connect(waits);
    const source = new CancellationTokenSource();
    const answer = client.sendRequest('test/waits', about, source.token);
    setTimeout(() => source.cancel(), 20);
    await expect(answer).rejects.toMatchObject({ code: -32800 });
    expect(logs).toEqual([]);
  });

  test('ends when its document changes, and only then', async () => {
    const { client, logs } = await connect(waits);
    await client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text: '{}' } });
    const answer = client.sendRequest('test/waits', about);
    const other = { uri: 'file:///somewhere/y.json', languageId: 'json', version: 1, text: '{}' };
    await client.sendNotification('textDocument/didOpen', { textDocument: other });
    await client.sendNotification('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text: '[]' }] });
    await expect(answer).rejects.toMatchObject({ code: -32801 });
    expect(logs).toEqual([]);
  });
});

test('documents are as the last message before the request has left them', async () => {
  const { client } = await connect(feature('test/text', (_params, { workspace }) => workspace.document(uri)?.text));
  const told = [
    client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version: 1, text: '{"a": 1}' } }),
  ];
  for (let version = 2; version < 30; version++) {
    const range = { start: { line: 0, character: 6 }, end: { line: 0, character: 6 } };
    told.push(
      client.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range, text: String(version % 10) }],
      }),
    );
  }
  expect(await client.sendRequest('test/text', about)).toBe(`{"a": ${Array.from({ length: 28 }, (_, at) => (29 - at) % 10).join('')}1}`);
  await Promise.all(told);
});
