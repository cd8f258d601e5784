import {
  type CancellationToken,
  type Connection,
  DidChangeWorkspaceFoldersNotification,
  ErrorCodes,
  FileChangeType,
  type FileEvent,
  type InitializeParams,
  LSPErrorCodes,
  type ProgressToken,
  ProgressType,
  ResponseError,
  TextDocuments,
  type TextDocumentsConfiguration,
  type WorkDoneProgressReporter,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isObject } from '../core/json.js';
import type { Logger } from '../core/ports.js';
import { describeServer } from './capabilities.js';
import type { AnyFeature, FeatureContext } from './feature.js';
import { features as allFeatures } from './features/index.js';
import type { CreateHost } from './host.js';
import type { Session } from './session.js';

export interface ServerOptions {
  readonly logger: Logger;
  /** Called once, after the reply to `initialize`. */
  readonly createHost: CreateHost;
  /** Default: all. */
  readonly features?: readonly AnyFeature[];
}

/**
 * Runs the language server on a connection: lifecycle, documents, cancellation, and the boundary around every handler. The language service
 * is loaded after the reply to `initialize`; messages that arrive meanwhile wait, in their order.
 */
export function startServer(connection: Connection, { logger, createHost, features = allFeatures }: ServerOptions): void {
  let client: InitializeParams | undefined;
  let session: Promise<Session> | undefined;
  let isShutDown = false;

  const load = async (params: InitializeParams) => {
    const { createSession } = await import('./session.js');
    return createSession({ connection, features, logger, params, createHost });
  };

  /** Undefined before `initialize`. */
  const loaded = () => {
    if (session === undefined && client !== undefined) session = load(client);
    return session;
  };

  const notify = (method: string, act: (session: Session) => void | Promise<void>) => {
    loaded()
      ?.then(act)
      .catch((error) => logger.log('error', `${method} failed`, { error }));
  };

  connection.onInitialize((params) => {
    if (client !== undefined) throw new ResponseError(ErrorCodes.InvalidRequest, 'initialize was sent twice.');
    if (!isObject(params.capabilities))
      throw new ResponseError(ErrorCodes.InvalidParams, 'initialize needs the capabilities of the client.');
    client = params;
    return describeServer(features, params.capabilities);
  });
  connection.onInitialized(() => {
    notify('initialized', (to) => to.begin());
    // Not earlier: during `initialize`, the connection sets its own handler.
    connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event }) => {
      notify('didChangeWorkspaceFolders', (to) => to.foldersChanged(event));
    });
  });
  connection.onShutdown(() => {
    isShutDown = true;
  });

  const documents = new TextDocuments(documentVersions);
  documents.onDidChangeContent(({ document }) => notify('didChange', (to) => to.documentChanged(document)));
  documents.onDidClose(({ document }) => notify('didClose', (to) => to.documentClosed(document.uri)));
  documents.listen(connection);
  connection.onDidChangeWatchedFiles(({ changes }) => notify('didChangeWatchedFiles', (to) => to.filesChanged(changes)));
  connection.onNotification('agentStack/lookAgain', () => notify('agentStack/lookAgain', (to) => to.lookAgain()));
  // The editor's own moves: its watcher reports them later, and a request about another move may come first.
  connection.workspace.onDidCreateFiles(({ files }) =>
    notify('didCreateFiles', (to) => to.filesChanged(files.map(({ uri }) => created(uri)))),
  );
  connection.workspace.onDidDeleteFiles(({ files }) =>
    notify('didDeleteFiles', (to) => to.filesChanged(files.map(({ uri }) => deleted(uri)))),
  );
  connection.workspace.onDidRenameFiles(({ files }) => {
    notify('didRenameFiles', (to) => to.filesChanged(files.flatMap(({ oldUri, newUri }) => [deleted(oldUri), created(newUri)])));
  });
  connection.onDidChangeConfiguration(({ settings }) => notify('didChangeConfiguration', (to) => to.settingsChanged(settings)));

  connection.onRequest(async (method, params, token) => {
    try {
      if (isShutDown) throw new ResponseError(ErrorCodes.InvalidRequest, 'The server has been shut down.');
      const started = loaded();
      if (started === undefined) throw new ResponseError(ErrorCodes.ServerNotInitialized, 'initialize comes first.');
      const { service } = await started;
      const { done, ...progress } = createProgress(connection, params);
      try {
        return await service.request(method, params, { signal: signalOf(token), ...progress });
      } finally {
        done();
      }
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      if (token.isCancellationRequested) throw cancelled();
      logger.log('error', `${method} failed`, { error });
      throw new ResponseError(ErrorCodes.InternalError, `${method} failed because of a fault in the server. Its log has the details.`);
    }
  });
  connection.listen();
}

/** Aborted when the client cancels the request: from here on, cancellation is an `AbortSignal`. */
function signalOf(token: CancellationToken): AbortSignal {
  if (token.isCancellationRequested) return AbortSignal.abort(cancelled());
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort(cancelled()));
  return controller.signal;
}

function created(uri: string): FileEvent {
  return { uri, type: FileChangeType.Created };
}

function deleted(uri: string): FileEvent {
  return { uri, type: FileChangeType.Deleted };
}

function cancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
}

interface RequestProgress extends Pick<FeatureContext, 'progress' | 'sendPart'> {
  /** To be called when the request is done. */
  readonly done: () => void;
}

const partialResult = new ProgressType<unknown>();

/** Work-done progress and partial results, if a request has tokens for them. */
function createProgress(connection: Connection, params: unknown): RequestProgress {
  const { workDoneToken, partialResultToken } = (params ?? {}) as { workDoneToken?: ProgressToken; partialResultToken?: ProgressToken };
  let reporter: WorkDoneProgressReporter | undefined;
  return {
    progress: {
      report(message, percentage) {
        if (reporter === undefined) {
          reporter = connection.window.attachWorkDoneProgress(workDoneToken);
          reporter.begin('Agent Stack', percentage, message);
        } else if (percentage === undefined) reporter.report(message);
        else reporter.report(percentage, message);
      },
    },
    sendPart:
      partialResultToken === undefined ? undefined : (part) => void connection.sendProgress(partialResult, partialResultToken, part),
    done: () => reporter?.done(),
  };
}

/** Every version of an open document is a separate object, so a running request keeps its text. */
export const documentVersions: TextDocumentsConfiguration<TextDocument> = {
  create: TextDocument.create,
  update(document, changes, version) {
    const { uri, languageId } = document;
    return TextDocument.update(TextDocument.create(uri, languageId, version, document.getText()), changes, version);
  },
};
