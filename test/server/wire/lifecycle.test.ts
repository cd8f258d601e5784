import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMessageConnection, IPCMessageReader, IPCMessageWriter, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { features } from '../../../server/features/index.js';
import { type ClientOptions, startServer } from '../../support/lspClient.js';
import { testWith } from '../../support/needs.js';
import { agentText, llmText } from '../agents.js';

const one = 'config/agents/A2/v1.json';
const files = { [one]: agentText(), 'config/llms/main.json': llmText('main') };

const failure = (request: Promise<unknown>): Promise<{ code: number; message: string }> =>
  request.then(
    () => {
      throw new Error('It was answered');
    },
    (error) => error,
  );

describe('a change against the last commit', () => {
  const keys = (input_keys: readonly string[]) => agentText({ input_keys });
  const committed = async (options: Pick<ClientOptions, 'initializationOptions' | 'capabilities'>) => {
    const client = await startServer({ files: { ...files, [one]: keys(['a']) }, ...options });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: client.root, stdio: 'ignore' });
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    client.open(one, keys(['a', 'b']));
    const diagnose = async () => {
      const report = await client.request<{ items: readonly { code: string }[] }>('textDocument/diagnostic', {
        textDocument: { uri: client.uri(one) },
      });
      return report.items.map(({ code }) => code);
    };
    return { client, diagnose };
  };

  testWith('git', 'is told as soon as the commit has been read', async () => {
    const { client, diagnose } = await committed({});
    expect(await diagnose()).toEqual([]);
    await client.until(() => client.refreshes() > 0);
    expect(await diagnose()).toEqual(['schema-changed-in-place']);
  });

  testWith('git', 'is sent to a client that does not ask', async () => {
    const { client } = await committed({ capabilities: {} });
    const codes = () => client.publications.findLast(({ uri }) => uri === client.uri(one))?.diagnostics.map(({ code }) => code) ?? [];
    await client.until(() => codes().includes('schema-changed-in-place'));
    expect(codes()).toEqual(['schema-changed-in-place']);
  });

  testWith('git', 'is not looked for in a workspace that is not trusted', async () => {
    const { client, diagnose } = await committed({ initializationOptions: { trusted: false } });
    for (let round = 0; round < 5; round++) {
      expect(await diagnose()).toEqual([]);
      await client.request('workspace/diagnostic', { previousResultIds: [] });
    }
    expect(client.refreshes()).toBe(0);
  });
});

describe('the server lives on', () => {
  test('after a request that it does not know', async () => {
    const client = await startServer({ files });
    expect(await failure(client.request('textDocument/nonsense', {}))).toMatchObject({ code: -32601 });
    client.open(one);
    expect(await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(one) } })).toMatchObject({ items: [] });
  });

  test('after requests without parameters and with ones that lack something, each refused as such', async () => {
    const client = await startServer({ files });
    for (const { method } of features) {
      expect(await failure(client.connection.sendRequest(method)), method).toMatchObject({ code: -32602 });
      for (const params of [null, [], {}, { textDocument: null }, { textDocument: { uri: 7 }, position: { line: -1, character: 'x' } }])
        expect(await failure(client.request(method, params)), method).toMatchObject({ code: -32602 });
    }
    expect(client.logs).toEqual([]);
    client.open(one);
    expect(await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(one) } })).toMatchObject({ items: [] });
  });

  test('after parameters that no client should send, each answered or ignored', async () => {
    const client = await startServer({ files });
    for (const params of [null, [], {}, { textDocument: null }, { textDocument: { uri: 7 } }, { textDocument: { uri: 'file://%' } }]) {
      await Promise.allSettled([client.request('textDocument/diagnostic', params)]);
      for (const method of ['didOpen', 'didChange', 'didClose']) client.notify(`textDocument/${method}`, params);
      client.notify('workspace/didChangeWatchedFiles', params);
      client.notify('workspace/didChangeConfiguration', params);
      client.notify('workspace/didChangeWorkspaceFolders', params);
    }
    client.open(one);
    expect(await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(one) } })).toMatchObject({ items: [] });
  });

  test('after bytes that are no message', async () => {
    const client = await startServer({ files });
    for (const wrong of ['Content-Length: 3\r\n\r\n{a}', 'Content-Length: 4\r\n\r\nnull', 'Content-Length: 2\r\n\r\n{}'])
      client.process.stdin!.write(wrong);
    client.notify('$/cancelRequest', null);
    client.open(one);
    expect(await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(one) } })).toMatchObject({ items: [] });
  });

  test('with a document that is nested too deeply for any parser', async () => {
    const client = await startServer({ files });
    client.open(one, '[{"a":'.repeat(200_000));
    const report = await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(one) } });
    expect(report).toMatchObject({ items: [{ code: 'json-syntax' }] });
  });

  test('with a document of 50 MB, which it says it does not check', async () => {
    const client = await startServer({ files });
    client.open(one, `{"system_text": "${'x'.repeat(50 * 1024 * 1024)}"}`);
    const report = await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(one) } });
    expect(report).toMatchObject({ items: [{ code: 'json-syntax', message: expect.stringContaining('10 MB') }] });
  });

  test('with a list of 100,000 values', async () => {
    const client = await startServer({ files });
    const values = Array.from({ length: 100_000 }, (_, at) => `value ${at}`);
    const output_schema = {
      type: 'object',
      properties: { tone: { type: 'string', enum: values } },
      required: ['tone'],
      additionalProperties: false,
    };
    client.open(one, agentText({ output_schema, enums: { tone: values } }));
    const report = await client.request<{ kind: string }>('textDocument/diagnostic', { textDocument: { uri: client.uri(one) } });
    expect(report.kind).toBe('full');
  });
});

test('the command line starts the same server', async () => {
  const cli = join(import.meta.dirname, '../../../dist/cli.cjs');
  const client = await startServer({ files, command: [cli, 'lsp', '--stdio'] });
  client.open(one, agentText({ temperature: 9 }));
  const report = await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(one) } });
  expect(report).toMatchObject({ items: [{ code: 'schema' }] });
});

describe('the client is reached', () => {
  const initialize = { processId: null, rootUri: null, capabilities: {} };
  const server = join(import.meta.dirname, '../../../dist/server.cjs');

  test('by the channel of a Node parent, and the server ends with it', async () => {
    const child = fork(server, ['--node-ipc'], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const client = createMessageConnection(new IPCMessageReader(child), new IPCMessageWriter(child));
    client.listen();
    expect(await client.sendRequest('initialize', initialize)).toMatchObject({ serverInfo: { name: 'agentstack' } });
    child.disconnect();
    expect(await ended).toBe(1);
  });

  test('by a port on which it listens, and the server ends with the connection', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void listener.close());
    await once(listener, 'listening');
    const child = spawn(process.execPath, [server, `--socket=${(listener.address() as AddressInfo).port}`], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const [socket] = (await once(listener, 'connection')) as [Socket];
    const client = createMessageConnection(new StreamMessageReader(socket), new StreamMessageWriter(socket));
    client.listen();
    expect(await client.sendRequest('initialize', initialize)).toMatchObject({ serverInfo: { name: 'agentstack' } });
    socket.end();
    expect(await ended).toBe(1);
  });
});

describe('the end', () => {
  test('comes with exit after shutdown, with success', async () => {
    const client = await startServer({ files });
    const ended = new Promise((resolve) => client.process.once('exit', resolve));
    expect(await client.request('shutdown', undefined)).toBe(null);
    expect(await failure(client.request('textDocument/diagnostic', {}))).toMatchObject({ code: -32600 });
    client.notify('exit', undefined);
    expect(await ended).toBe(0);
  });

  test('comes when the client is gone', async () => {
    const client = await startServer({ files });
    const ended = new Promise((resolve) => client.process.once('exit', resolve));
    client.process.stdin!.end();
    expect(await ended).toBe(1);
  });

  test('comes when the editor that started the server has died, however it is connected', async () => {
    const editor = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    const command = [join(import.meta.dirname, '../../../dist/server.cjs'), '--stdio', `--clientProcessId=${editor.pid}`];
    const client = await startServer({ files, command });
    const ended = new Promise((resolve) => client.process.once('exit', resolve));
    editor.kill();
    expect(await ended).toBe(1);
  });

  test('comes when the editor that `processId` names has died', async () => {
    const editor = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
    const client = await startServer({ files, processId: editor.pid ?? null });
    const ended = new Promise((resolve) => client.process.once('exit', resolve));
    editor.kill('SIGKILL');
    expect(await ended).toBe(1);
  });

  test('a second initialize is refused', async () => {
    const client = await startServer({ files });
    expect(await failure(client.request('initialize', { capabilities: {} }))).toMatchObject({ code: -32600 });
  });

  test('the log says which projects there are and what they consist of', async () => {
    const client = await startServer({ files });
    await client.until(() => client.notes.length > 0);
    expect(client.notes).toEqual([`Project ${client.root}: 1 agent version, 1 LLM profile`]);
  });
});

test('the user is told why payloads stay behind when their agent is moved', async () => {
  const payload = '{ "input": {} }\n';
  const client = await startServer({
    files: { ...files, 'config/payloads/A2/case.json': payload, 'config/payloads/B/case.json': payload },
  });
  const shown: unknown[] = [];
  client.connection.onNotification('window/showMessage', (message) => void shown.push(message));
  await client.request('workspace/willRenameFiles', {
    files: [{ oldUri: client.uri('config/agents/A2'), newUri: client.uri('config/agents/B') }],
  });
  await client.request('textDocument/diagnostic', { textDocument: { uri: client.uri(one) } });
  expect(shown).toEqual([{ type: 2, message: 'The payloads of A2 stay where they are: config/payloads/B/case.json already exists.' }]);
});
