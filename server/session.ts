import type { FileSystemWatcher, InitializeParams, Registration } from 'vscode-languageserver';
import { isObject } from '../core/json.js';
import type { Logger } from '../core/ports.js';
import type { AnyFeature } from './feature.js';
import type { ServiceHost } from './host.js';
import { createNodeHost } from './nodeHost.js';
import { Publisher } from './publisher.js';
import { createService, type LanguageService } from './service.js';
import type { Negotiated } from './wire/capabilities.js';
import type { Connection } from './wire/connection.js';

export interface SessionOptions {
  readonly connection: Connection;
  readonly features: readonly AnyFeature[];
  readonly logger: Logger;
  readonly params: InitializeParams;
  readonly negotiated: Negotiated;
  /** Default: Node's. */
  readonly host?: ServiceHost | undefined;
}

/** What there is once `initialize` has been answered. */
export interface Session extends Negotiated {
  readonly service: LanguageService;
  readonly publisher: Publisher;
  readonly host: ServiceHost;
  /** What the client has sent with `initialize`. */
  readonly params: InitializeParams;
  /** To be called when the client has said `initialized`. */
  begin(): void;
  /** Reads section `agentStack` of the client's settings. */
  askForSettings(): Promise<void>;
}

/** Loads the language service for one client. Reached by `import()` only: this is where all that is heavy hangs on. */
export function createSession({
  connection,
  features,
  logger,
  params,
  negotiated,
  host = createNodeHost({ trusted: isTrusted(params) }),
}: SessionOptions): Session {
  const { client, pullsDiagnostics } = negotiated;
  const onError = (error: unknown) => logger.log('error', 'Diagnostics failed', { error });
  const canRefresh = client.workspace?.diagnostics?.refreshSupport === true;
  const publisher: Publisher = new Publisher({
    service: () => service,
    nextTurn: host.nextTurn,
    pulls: pullsDiagnostics,
    send(uri, version, items) {
      const params = { uri, ...(version !== undefined && { version }), diagnostics: items };
      return connection.notify('textDocument/publishDiagnostics', params);
    },
    refresh: canRefresh ? () => connection.request('workspace/diagnostic/refresh') : undefined,
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
  const askForSettings = async () => {
    if (client.workspace?.configuration !== true) return;
    const answer = await connection.request('workspace/configuration', { items: [{ section: 'agentStack' }] });
    service.setSettings(Array.isArray(answer) ? answer[0] : undefined);
  };
  return {
    ...negotiated,
    service,
    publisher,
    host,
    params,
    askForSettings,
    begin() {
      service.start();
      const work = [askForSettings(), register(connection, registrationsFor(negotiated))];
      for (const step of work) step.catch((error) => logger.log('warn', 'The client refused a request', { error }));
    },
  };
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  if (workspaceFolders !== undefined && workspaceFolders !== null) return workspaceFolders.map(({ uri }) => uri);
  return rootUri === null || rootUri === undefined ? [] : [rootUri];
}

/** Editors that do not know such a thing trust what they open; those that do start the server anew when it changes. */
function isTrusted({ initializationOptions }: InitializeParams): boolean {
  return !isObject(initializationOptions) || initializationOptions.trusted !== false;
}

/** For clients that cannot be asked: `initializationOptions` holds the section itself, or the section under its name. */
function initialSettings({ initializationOptions }: InitializeParams): unknown {
  if (!isObject(initializationOptions)) return undefined;
  return isObject(initializationOptions.agentStack) ? initializationOptions.agentStack : initializationOptions;
}

/** Config files by their ending, and the folders they lie in: a folder that is removed is told by its own name alone. */
const watchers: readonly FileSystemWatcher[] = [
  { globPattern: '**/*.json' },
  { globPattern: '**/{agents,llms,personas,prompts,orchestrations,environments,payloads}/**' },
];

function registrationsFor({ client }: Negotiated): readonly Registration[] {
  const registrations: Registration[] = [];
  if (client.workspace?.didChangeWatchedFiles?.dynamicRegistration === true)
    registrations.push({ id: 'agentStack.files', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers } });
  if (client.workspace?.didChangeConfiguration?.dynamicRegistration === true)
    registrations.push({
      id: 'agentStack.settings',
      method: 'workspace/didChangeConfiguration',
      registerOptions: { section: 'agentStack' },
    });
  return registrations;
}

async function register(connection: Connection, registrations: readonly Registration[]): Promise<void> {
  if (registrations.length > 0) await connection.request('client/registerCapability', { registrations });
}
