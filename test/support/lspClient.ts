import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { createMessageConnection, type MessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type {
  ClientCapabilities,
  Diagnostic,
  InitializeResult,
  Position,
  PublishDiagnosticsParams,
  Registration,
  RegistrationParams,
  TextDocumentContentChangeEvent,
  UnregistrationParams,
} from 'vscode-languageserver';
import { temporaryFolder } from './temporaryFolder.js';

export interface ClientOptions {
  /** Project path to text, written before the server starts. A `|` is a cursor and no part of the text (`||` is a literal one). */
  readonly files: Readonly<Record<string, string>>;
  readonly capabilities?: ClientCapabilities;
  /** What `workspace/configuration` answers for `agentStack`. */
  readonly settings?: unknown;
  readonly initializationOptions?: unknown;
  /** Default: the folder of the files. */
  readonly workspaceFolders?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The process with which the server ends. Default: the test's own. */
  readonly processId?: number | null;
  /** What Node is started with. Default: dist/server.cjs over stdio. */
  readonly command?: readonly string[];
}

export interface LspClient {
  readonly root: string;
  readonly initialized: InitializeResult;
  readonly process: ChildProcess;
  /** Every warning and error of `window/logMessage`, in order. */
  readonly logs: readonly string[];
  /** Everything else that was logged. */
  readonly notes: readonly string[];
  /** How often the server asked to ask again, so far. */
  readonly refreshes: () => number;
  /** What the server registered dynamically, by method. */
  readonly registered: ReadonlySet<string>;
  /** The registrations that count now, by id. */
  readonly registrations: ReadonlyMap<string, Registration>;
  uri(path: string): string;
  /** Where a `|` was in a file, UTF-16. */
  at(path: string, index?: number): { readonly textDocument: { readonly uri: string }; readonly position: Position };
  /** Opens a file of the project as it is on disk, or with another text. Resolves at once: messages are kept in order. */
  open(path: string, text?: string): void;
  change(path: string, changes: readonly TextDocumentContentChangeEvent[] | string): void;
  close(path: string): void;
  /** Writes to the disk, or removes, and tells the server. */
  write(path: string, text: string | undefined): void;
  request<Result = unknown>(method: string, params: unknown): Promise<Result>;
  notify(method: string, params: unknown): void;
  readonly connection: MessageConnection;
  /** The diagnostics sent for a file with the version it has now; waits for them. */
  published(path: string): Promise<readonly Diagnostic[]>;
  /** Every publication so far. */
  readonly publications: readonly PublishDiagnosticsParams[];
  /** Resolves when a condition about what has arrived holds; looked at after every message. */
  until(condition: () => boolean): Promise<void>;
}

const server = join(import.meta.dirname, '../../dist/server.cjs');

/** Capabilities of an editor that can do everything. */
export const fullCapabilities: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'], failureHandling: 'textOnlyTransactional' },
    didChangeWatchedFiles: { dynamicRegistration: true },
    didChangeConfiguration: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
    fileOperations: { willRename: true, didRename: true },
    symbol: { resolveSupport: { properties: ['location.range'] } },
  },
  textDocument: {
    synchronization: {},
    publishDiagnostics: { relatedInformation: true, versionSupport: true, codeDescriptionSupport: true, dataSupport: true },
    diagnostic: { relatedDocumentSupport: true },
    completion: {
      contextSupport: true,
      completionItem: {
        snippetSupport: true,
        documentationFormat: ['markdown', 'plaintext'],
        insertReplaceSupport: true,
        labelDetailsSupport: true,
        resolveSupport: { properties: ['documentation', 'detail'] },
      },
    },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    definition: { linkSupport: true },
    references: {},
    documentHighlight: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    documentLink: { tooltipSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source.fixAll'] } },
      dataSupport: true,
      isPreferredSupport: true,
      disabledSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    codeLens: {},
    inlayHint: { resolveSupport: { properties: ['tooltip'] } },
    rename: { prepareSupport: true },
    foldingRange: {},
    selectionRange: {},
    callHierarchy: {},
    formatting: {},
    rangeFormatting: {},
    onTypeFormatting: {},
    semanticTokens: {
      requests: { full: { delta: true }, range: true },
      tokenTypes: ['variable', 'parameter', 'property', 'class', 'enumMember', 'macro', 'string'],
      tokenModifiers: ['readonly', 'declaration'],
      formats: ['relative'],
    },
  },
};

/** The same for an editor that is sent its diagnostics. */
export const pushCapabilities: ClientCapabilities = {
  ...fullCapabilities,
  textDocument: Object.fromEntries(Object.entries(fullCapabilities.textDocument ?? {}).filter(([key]) => key !== 'diagnostic')),
};

/** Starts the built server over stdio in a fresh folder with these files. It ends with the test. */
export async function startServer(options: ClientOptions): Promise<LspClient> {
  const {
    files,
    capabilities = fullCapabilities,
    settings = null,
    initializationOptions,
    workspaceFolders,
    env,
    command = [server, '--stdio'],
    processId = process.pid,
  } = options;
  if (!existsSync(server)) throw new Error('dist/server.cjs is missing: run `npm run build`.');
  const root = temporaryFolder();
  const cursors = new Map<string, readonly number[]>();
  const texts = new Map<string, string>();
  for (const [path, marked] of Object.entries(files)) {
    const { text, offsets } = readCursors(marked);
    cursors.set(path, offsets);
    texts.set(path, text);
    put(join(root, path), text);
  }
  const uri = (path: string) => pathToFileURL(join(root, path)).href;
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const waiters = new Set<() => void>();
  const arrived = () => {
    for (const waiter of [...waiters]) waiter();
  };
  const logs: string[] = [];
  const notes: string[] = [];
  const publications: PublishDiagnosticsParams[] = [];
  const registered = new Set<string>();
  let refreshes = 0;
  connection.onNotification('window/logMessage', ({ type, message }: { type: number; message: string }) => {
    (type <= 2 ? logs : notes).push(message);
    arrived();
  });
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    publications.push(params);
    arrived();
  });
  connection.onRequest('workspace/configuration', ({ items }: { items: readonly unknown[] }) => items.map(() => settings));
  const registrations = new Map<string, Registration>();
  connection.onRequest('client/registerCapability', (params: RegistrationParams) => {
    for (const registration of params.registrations) {
      registered.add(registration.method);
      registrations.set(registration.id, registration);
    }
    arrived();
    return null;
  });
  connection.onRequest('client/unregisterCapability', ({ unregisterations }: UnregistrationParams) => {
    for (const { id } of unregisterations) registrations.delete(id);
    arrived();
    return null;
  });
  connection.onRequest('workspace/diagnostic/refresh', () => {
    refreshes += 1;
    arrived();
    return null;
  });
  connection.onUnhandledNotification(() => arrived());
  connection.onError(() => undefined);
  connection.listen();
  onTestFinished(async () => {
    if (child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    }
    connection.dispose();
    if (errors.length > 0) throw new Error(`The server wrote to stderr: ${errors.join('')}`);
  });
  const initialized = await connection.sendRequest<InitializeResult>('initialize', {
    processId,
    rootUri: pathToFileURL(root).href,
    workspaceFolders: (workspaceFolders ?? ['']).map((path) => ({ uri: uri(path).replace(/\/$/, ''), name: path || 'project' })),
    capabilities,
    initializationOptions,
  });
  send(connection, 'initialized', {});
  const versions = new Map<string, number>();
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!condition()) return;
        waiters.delete(look);
        resolve();
      };
      waiters.add(look);
      look();
    });
  return {
    root,
    initialized,
    process: child,
    logs,
    notes,
    refreshes: () => refreshes,
    registered,
    registrations,
    uri,
    connection,
    publications,
    until,
    at(path, index = 0) {
      const offset = cursors.get(path)?.[index];
      const before = texts
        .get(path)
        ?.slice(0, offset)
        .split(/\r\n|\r|\n/);
      if (offset === undefined || before === undefined) throw new Error(`${path} has no cursor ${index}`);
      return { textDocument: { uri: uri(path) }, position: { line: before.length - 1, character: before.at(-1)!.length } };
    },
    open(path, text = texts.get(path) ?? '') {
      versions.set(path, 1);
      send(connection, 'textDocument/didOpen', { textDocument: { uri: uri(path), languageId: 'json', version: 1, text } });
    },
    change(path, changes) {
      const version = (versions.get(path) ?? 0) + 1;
      versions.set(path, version);
      const contentChanges = typeof changes === 'string' ? [{ text: changes }] : changes;
      send(connection, 'textDocument/didChange', { textDocument: { uri: uri(path), version }, contentChanges });
    },
    close(path) {
      versions.delete(path);
      send(connection, 'textDocument/didClose', { textDocument: { uri: uri(path) } });
    },
    write(path, text) {
      const existed = existsSync(join(root, path));
      if (text === undefined) rmSync(join(root, path), { recursive: true });
      else put(join(root, path), text);
      const type = text === undefined ? 3 : existed ? 2 : 1;
      send(connection, 'workspace/didChangeWatchedFiles', { changes: [{ uri: uri(path), type }] });
    },
    request: (method, params) => connection.sendRequest(method, params),
    notify: (method, params) => send(connection, method, params),
    async published(path) {
      const isCurrent = (params: PublishDiagnosticsParams) => params.uri === uri(path) && params.version === versions.get(path);
      await until(() => publications.some(isCurrent));
      return publications.findLast(isCurrent)!.diagnostics;
    },
  };
}

function send(connection: MessageConnection, method: string, params: unknown): void {
  // A server that is gone fails the test by what does not arrive.
  connection.sendNotification(method, params).catch(() => undefined);
}

function readCursors(marked: string): { text: string; offsets: readonly number[] } {
  const offsets: number[] = [];
  let text = '';
  for (const part of marked.split(/(\|\|?)/)) {
    if (part === '|') offsets.push(text.length);
    else text += part === '||' ? '|' : part;
  }
  return { text, offsets };
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
