import {
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type FileEvent,
  type FileSystemWatcher,
  type InitializeParams,
  type WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isObject } from '../core/json.js';
import type { Logger } from '../core/ports.js';
import type { AnyFeature } from './feature.js';
import type { CreateHost } from './host.js';
import { Publisher } from './publisher.js';
import { createService, type LanguageService } from './service.js';

export interface SessionOptions {
  readonly connection: Connection;
  readonly features: readonly AnyFeature[];
  readonly logger: Logger;
  readonly params: InitializeParams;
  readonly createHost: CreateHost;
}

/** The language service for one client, and what the client tells it. */
export interface Session {
  readonly service: LanguageService;
  /** To be called when the client has said `initialized`. */
  begin(): void;
  documentChanged(document: TextDocument): void;
  documentClosed(uri: string): void;
  foldersChanged(event: WorkspaceFoldersChangeEvent): void;
  filesChanged(changes: readonly FileEvent[]): void;
  /** @param settings all settings of the client, where it sends them along */
  settingsChanged(settings: unknown): Promise<void>;
}

/** Loads the language service. Reached by `import()` only: all that takes long to load is imported from here. */
export async function createSession({ connection, features, logger, params, createHost }: SessionOptions): Promise<Session> {
  const { capabilities: client } = params;
  const host = await createHost({ trusted: isTrusted(params) });
  const onError = (error: unknown) => logger.log('error', 'Diagnostics failed', { error });
  const canRefresh = client.workspace?.diagnostics?.refreshSupport === true;
  const publisher: Publisher = new Publisher({
    service: () => service,
    nextTurn: host.nextTurn,
    pulls: client.textDocument?.diagnostic !== undefined,
    send: (diagnostics) => connection.sendDiagnostics(diagnostics),
    refresh: canRefresh ? () => connection.languages.diagnostics.refresh() : undefined,
    onError,
  });
  const service = createService({
    host,
    features,
    client,
    logger,
    folders: foldersOf(params).flatMap((uri) => host.toPath(uri) ?? []),
    onAffected: (affected) => publisher.affected(affected),
  });
  service.setSettings(initialSettings(params));

  const hasConfiguration = client.workspace?.configuration === true;
  const askForSettings = async () => service.setSettings(await connection.workspace.getConfiguration('agentStack'));

  return {
    service,
    begin() {
      service.start();
      const { didChangeWatchedFiles, didChangeConfiguration } = client.workspace ?? {};
      const asked: Promise<unknown>[] = [];
      if (hasConfiguration) asked.push(askForSettings());
      if (didChangeWatchedFiles?.dynamicRegistration === true)
        asked.push(connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }));
      if (didChangeConfiguration?.dynamicRegistration === true)
        asked.push(connection.client.register(DidChangeConfigurationNotification.type, { section: 'agentStack' }));
      for (const request of asked) request.catch((error) => logger.log('warn', 'The client refused a request', { error }));
    },
    documentChanged(document) {
      service.setDocument(document);
      publisher.documentChanged(document.uri);
    },
    documentClosed(uri) {
      service.closeDocument(uri);
      publisher.documentClosed(uri);
    },
    foldersChanged({ added, removed }) {
      service.changeFolders(
        added.map(({ uri }) => uri),
        removed.map(({ uri }) => uri),
      );
    },
    filesChanged(changes) {
      service.filesChanged(changes);
      publisher.changedElsewhere();
    },
    async settingsChanged(settings) {
      if (hasConfiguration) await askForSettings();
      else if (isObject(settings)) service.setSettings(settings.agentStack);
    },
  };
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  if (workspaceFolders !== undefined && workspaceFolders !== null) return workspaceFolders.map(({ uri }) => uri);
  return rootUri === null || rootUri === undefined ? [] : [rootUri];
}

/** Editors without workspace trust trust what they open; the others start the server anew when trust changes. */
function isTrusted({ initializationOptions }: InitializeParams): boolean {
  return !isObject(initializationOptions) || initializationOptions.trusted !== false;
}

/** For clients that cannot be asked: `initializationOptions` holds the section itself, or the section under its name. */
function initialSettings({ initializationOptions }: InitializeParams): unknown {
  if (!isObject(initializationOptions)) return undefined;
  return isObject(initializationOptions.agentStack) ? initializationOptions.agentStack : initializationOptions;
}

/** Config files by their ending, and the folders they lie in: of a folder that is removed, only its own name is reported. */
const watchers: FileSystemWatcher[] = [
  { globPattern: '**/*.json' },
  { globPattern: '**/{agents,llms,personas,prompts,orchestrations,environments,payloads}/**' },
];
