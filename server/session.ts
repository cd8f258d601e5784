import {
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type FileEvent,
  type FileSystemWatcher,
  type InitializeParams,
  MessageType,
  type PublishDiagnosticsParams,
  ShowMessageNotification,
  WatchKind,
  type WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isObject } from '../core/json.js';
import type { Kind } from '../core/kinds.js';
import type { Logger } from '../core/ports.js';
import { asksForDiagnostics, describeServer, takesProjectDiagnostics } from './capabilities.js';
import { DocumentPublisher } from './documentPublisher.js';
import { DocumentRegistration, promptRegistrations, toolFileRegistrations } from './documentRegistration.js';
import type { AnyFeature } from './feature.js';
import type { CreateHost } from './host.js';
import { ProjectPublisher } from './projectPublisher.js';
import type { Publisher } from './publisher.js';
import { createService, type LanguageService } from './service.js';
import { readClientSettings } from './settings.js';
import { useLanguage } from './texts.js';
import type { Project } from './workspace.js';

export interface SessionOptions {
  readonly connection: Connection;
  readonly features: readonly AnyFeature[];
  readonly logger: Logger;
  readonly params: InitializeParams;
  readonly createHost: CreateHost;
}

/** The language service for one client, and the client's notifications to it. */
export interface Session {
  readonly service: LanguageService;
  /** To be called when the client has sent `initialized`. */
  begin(): void;
  documentChanged(document: TextDocument): void;
  documentClosed(uri: string): void;
  foldersChanged(event: WorkspaceFoldersChangeEvent): void;
  filesChanged(changes: readonly FileEvent[]): void;
  lookAgain(): Promise<void>;
  /** @param settings all settings of the client, if it sends them along */
  settingsChanged(settings: unknown): Promise<void>;
}

const dayCheckInterval = 600_000;

/** Loads the language service. Reached by `import()` only: everything slow to load is imported from here. */
export async function createSession({ connection, features, logger, params, createHost }: SessionOptions): Promise<Session> {
  const { capabilities: client } = params;
  const host = await createHost({ trusted: isTrusted(params), trustsCode: isTrustedByName(params) });
  const { bundle } = isObject(params.initializationOptions) ? params.initializationOptions : {};
  if (typeof bundle === 'string') useLanguage(params.locale, host.readText(bundle));
  const onError = (error: unknown) => logger.log('error', 'Diagnostics failed', { error });
  const canRefresh = client.workspace?.diagnostics?.refreshSupport === true;
  const shared = {
    service: () => service,
    send: (diagnostics: PublishDiagnosticsParams) => connection.sendDiagnostics(diagnostics),
    onError,
  };
  const publisher: Publisher = takesProjectDiagnostics(client)
    ? new ProjectPublisher(shared)
    : new DocumentPublisher({
        ...shared,
        pulls: asksForDiagnostics(client),
        refresh: canRefresh ? () => connection.languages.diagnostics.refresh() : undefined,
      });
  const service = createService({
    host,
    features,
    client,
    logger,
    folders: foldersOf(params).flatMap((uri) => host.toPath(uri) ?? []),
    onAffected: (affected) => publisher.affected(affected),
    showWarning(message) {
      logger.log('warn', message);
      // connection.window.showWarningMessage would wait for an answer.
      connection
        .sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message })
        .catch((error) => logger.log('error', 'A warning was not shown', { error }));
    },
  });
  const atStart = initialSettings(params);
  service.setSettings(atStart);
  const toolFiles = new DocumentRegistration(connection, toolFileRegistrations(client));
  const prompts = new DocumentRegistration(connection, promptRegistrations(client, describeServer(features, client).capabilities));
  const applySettings = async (section: unknown) => {
    service.setSettings(section);
    await toolFiles.set(readClientSettings(section).otherTools.enabled);
  };

  const hasConfiguration = client.workspace?.configuration === true;
  const askForSettings = async () => applySettings(await connection.workspace.getConfiguration('agentStack'));

  const tellLoaded = async () => {
    const { workspace } = service;
    await workspace.ready();
    for (const project of workspace.projects) logger.log('info', loadedWords(project));
    if (workspace.projects.length === 0) logger.log('info', 'No project in this workspace.');
  };

  return {
    service,
    begin() {
      service.start();
      // Nothing else arrives when the day changes in an editor that is left open.
      setInterval(() => service.settle(), dayCheckInterval).unref();
      tellLoaded().catch((error) => logger.log('error', 'Indexing failed', { error }));
      const { didChangeWatchedFiles, didChangeConfiguration } = client.workspace ?? {};
      const pending: Promise<unknown>[] = [];
      pending.push(hasConfiguration ? askForSettings() : applySettings(atStart), prompts.set(true));
      if (didChangeWatchedFiles?.dynamicRegistration === true)
        pending.push(connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }));
      if (didChangeConfiguration?.dynamicRegistration === true)
        pending.push(connection.client.register(DidChangeConfigurationNotification.type, { section: 'agentStack' }));
      for (const request of pending) request.catch((error) => logger.log('warn', 'The client refused a request', { error }));
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
      publisher.changedElsewhere();
    },
    filesChanged(changes) {
      service.filesChanged(changes);
      publisher.changedElsewhere();
    },
    async lookAgain() {
      service.lookAgain();
      await service.workspace.ready();
      // Nothing is affected in projects that are gone.
      publisher.changedElsewhere();
    },
    async settingsChanged(changed) {
      if (hasConfiguration) await askForSettings();
      else if (isObject(changed)) await applySettings(changed.agentStack);
    },
  };
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  if (workspaceFolders !== undefined && workspaceFolders !== null) return workspaceFolders.map(({ uri }) => uri);
  return rootUri === null || rootUri === undefined ? [] : [rootUri];
}

/** Editors without workspace trust always trust what they open; the others restart the server when trust changes. */
function isTrusted({ initializationOptions }: InitializeParams): boolean {
  return !isObject(initializationOptions) || initializationOptions.trusted !== false;
}

/** Code of a workspace runs only if the client says that the user trusts it. */
function isTrustedByName({ initializationOptions }: InitializeParams): boolean {
  return isObject(initializationOptions) && initializationOptions.trusted === true;
}

/** For clients without configuration requests: `initializationOptions` is the section, or contains it under its name. */
function initialSettings({ initializationOptions }: InitializeParams): unknown {
  if (!isObject(initializationOptions)) return undefined;
  return isObject(initializationOptions.agentStack) ? initializationOptions.agentStack : initializationOptions;
}

/**
 * Changes of files by their extension; creations and deletions of everything. For a folder only its own name is reported, which may be any, and it
 * may contain a project.
 */
const watchers: FileSystemWatcher[] = [
  // Those of other tools have other endings, too.
  { globPattern: '**/*.{json,jsonc,md,toml,yaml,yml}', kind: WatchKind.Change },
  // The module of tools that agentstack.json names, and what it imports.
  { globPattern: '**/*.{js,mjs,cjs,ts,mts,cts}', kind: WatchKind.Change },
  { globPattern: '**/*', kind: WatchKind.Create | WatchKind.Delete },
];

const counted: readonly (readonly [kind: Kind, singular: string, plural: string])[] = [
  ['agent', 'agent version', 'agent versions'],
  ['orchestration', 'orchestration', 'orchestrations'],
  ['llm', 'LLM profile', 'LLM profiles'],
  ['persona', 'persona', 'personas'],
  ['prompt', 'prompt version', 'prompt versions'],
  ['payload', 'payload', 'payloads'],
  ['baseline', 'baseline', 'baselines'],
];

/** What a project consists of, for the log: `Project DIR: 6 agent versions, 2 orchestrations, 1 LLM profile`. */
function loadedWords(project: Pick<Project, 'root' | 'index' | 'foreignFiles'>): string {
  const parts = counted.flatMap(([kind, singular, plural]) => {
    const { size } = project.index.ids(kind);
    return size === 0 ? [] : [`${size} ${size === 1 ? singular : plural}`];
  });
  const foreign = project.foreignFiles().length;
  if (foreign > 0) parts.push(`${foreign} ${foreign === 1 ? 'file' : 'files'} of other tools ignored`);
  return `Project ${project.root}: ${parts.length === 0 ? 'no config files' : parts.join(', ')}`;
}
