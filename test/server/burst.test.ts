// Edits that arrive faster than they can be checked, as from a program that types or a machine that is busy: only the last text is checked.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ClientCapabilities, Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver';
import { createConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { createLogger } from '../../server/logger.js';
import { createNodeHost } from '../../server/nodeHost.js';
import { ProjectChecks } from '../../server/projectChecks.js';
import { startServer } from '../../server/startServer.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const path = 'config/llms/main.json';
const edits = 200;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Of `temperature`, which may be 2 at most. */
function textWith(temperature: number): string {
  return `${JSON.stringify({ llm_id: 'main', provider: 'openai', model_name: 'gpt-4o', temperature, api_key_env: 'OPENAI_API_KEY' }, null, 2)}\n`;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** A server whose client sends several messages as one piece, and what it has said so far. */
async function start(capabilities: ClientCapabilities) {
  const root = temporaryFolder();
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), textWith(0));
  const [up, down] = [new PassThrough(), new PassThrough()];
  const connection = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
  startServer(connection, { logger: createLogger(connection.console), createHost: async () => createNodeHost({ trusted: false }) });
  onTestFinished(() => {
    up.end();
  });
  const received: Message[] = [];
  const waiting = new Set<() => void>();
  new StreamMessageReader(down).listen((message) => {
    received.push(message as Message);
    for (const look of [...waiting]) look();
  });
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!condition()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const send = (...messages: readonly Message[]) => {
    const frames = messages.map((message) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    });
    up.write(frames.join(''));
  };
  const answered = async (id: number) => {
    await until(() => received.some((message) => message.id === id && message.method === undefined));
    return received.find((message) => message.id === id && message.method === undefined)?.result;
  };
  const uri = pathToFileURL(join(root, path)).href;
  send({ id: 1, method: 'initialize', params: { capabilities, rootUri: pathToFileURL(root).href } });
  await answered(1);
  send({ method: 'initialized', params: {} });
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'json', version: 1, text: textWith(0) } } });
  // The project has been read by then.
  send({ id: 2, method: 'workspace/symbol', params: { query: 'main' } });
  await answered(2);
  return { uri, send, answered, until, received };
}

/** The last edit makes a finding; none before it does. */
function edit(uri: string, version: number): Message {
  const text = textWith(version === edits + 1 ? 9 : version / 1_000);
  return { method: 'textDocument/didChange', params: { textDocument: { uri, version }, contentChanges: [{ text }] } };
}

const versions = Array.from({ length: edits }, (_, at) => at + 2);

function checksOf(file: string) {
  const check = vi.spyOn(ProjectChecks.prototype, 'check');
  return () => check.mock.calls.filter(([document]) => document.path === file).length;
}

function codesOf(items: readonly Diagnostic[]) {
  return items.map(({ code }) => code);
}

test('200 edits and as many questions are one check, and every answer is about the last text', async () => {
  const { uri, send, answered } = await start({ textDocument: { diagnostic: {} } });
  send({ id: 3, method: 'textDocument/diagnostic', params: { textDocument: { uri } } });
  await answered(3);
  const checks = checksOf(path);
  send(
    ...versions.flatMap((version) => [
      edit(uri, version),
      { id: 1_000 + version, method: 'textDocument/diagnostic', params: { textDocument: { uri } } },
    ]),
  );
  for (const version of versions) {
    const { items } = (await answered(1_000 + version)) as { readonly items: readonly Diagnostic[] };
    expect(codesOf(items)).toContain('schema');
  }
  expect(checks()).toBe(1);
});

for (const [name, capabilities] of [
  ['open documents', {}],
  ['all files', { experimental: { projectDiagnostics: true } }],
] as const)
  test(`a client that is sent the findings of ${name} gets those of the last text, after one check`, async () => {
    const { uri, send, until, received } = await start(capabilities);
    const checks = checksOf(path);
    send(...versions.map((version) => edit(uri, version)));
    const sentFor = (version: number) =>
      received.find(({ method, params }) => {
        return method === 'textDocument/publishDiagnostics' && (params as PublishDiagnosticsParams).version === version;
      })?.params as PublishDiagnosticsParams | undefined;
    await until(() => sentFor(edits + 1) !== undefined);
    expect(codesOf(sentFor(edits + 1)?.diagnostics ?? [])).toContain('schema');
    expect(checks()).toBe(1);
  });
