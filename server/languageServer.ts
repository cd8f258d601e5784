import {
  type DidChangeConfigurationParams,
  type DidChangeTextDocumentParams,
  type DidChangeWatchedFilesParams,
  type DidChangeWorkspaceFoldersParams,
  type DidCloseTextDocumentParams,
  type DidOpenTextDocumentParams,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isObject } from '../core/json.js';
import type { Cancellation, RequestSignal } from './cancellation.js';
import { documentVersions } from './documentVersions.js';
import type { AnyFeature } from './feature.js';
import type { ServiceHost } from './host.js';
import type { Session } from './session.js';
import { type Soon, whenThere } from './soon.js';
import { describeServer, type Negotiated, negotiate } from './wire/capabilities.js';
import type { Connection } from './wire/connection.js';
import { createLogger, type WireLogger } from './wire/logger.js';
import { createProgress } from './wire/progress.js';

export interface LanguageServerOptions {
  readonly connection: Connection;
  readonly features: readonly AnyFeature[];
  readonly exit: (code: number) => void;
  /** What the service needs from outside. Default: Node's. */
  readonly host?: ServiceHost;
}

/**
 * The language service on a connection: lifecycle, text synchronisation, cancellation, positions, and the boundary around every handler. The
 * service itself is loaded when `initialize` has been answered; what arrives meanwhile waits in the order of arrival.
 */
export class LanguageServer {
  private readonly connection: Connection;
  private readonly features: readonly AnyFeature[];
  private readonly exit: (code: number) => void;
  private readonly host: ServiceHost | undefined;
  private readonly logger: WireLogger;
  private starting: Promise<Session> | undefined;
  private session: Session | undefined;
  private isShutDown = false;

  constructor({ connection, features, exit, host }: LanguageServerOptions) {
    this.connection = connection;
    this.features = features;
    this.exit = exit;
    this.host = host;
    this.logger = createLogger((method, params) => this.notify(method, params));
  }

  listen(): void {
    this.connection.listen({
      request: (method, params, cancellation) => this.answer(method, params, cancellation),
      notification: (method, params) => this.take(method, params),
      fault: (error) => this.report('The client sent what is no message', error),
      closed: () => this.end(),
    });
  }

  report(message: string, error: unknown): void {
    this.logger.log('error', message, { error });
  }

  private end(): void {
    this.exit(this.isShutDown ? 0 : 1);
  }

  private initialize(params: InitializeParams): InitializeResult {
    if (this.starting !== undefined) throw new ResponseError(ErrorCodes.InvalidRequest, 'initialize was sent twice.');
    const negotiated = negotiate(params.capabilities ?? {});
    const result = describeServer(this.features, negotiated);
    // The reply is written before anything else is loaded.
    this.starting = new Promise((resolve) => setImmediate(resolve)).then(() => this.start(params, negotiated));
    this.starting.catch((error) => this.report('The server could not start', error));
    return result;
  }

  private async start(params: InitializeParams, negotiated: Negotiated): Promise<Session> {
    const { createSession } = await import('./session.js');
    const { connection, features, logger, host } = this;
    this.session = createSession({ connection, features, logger, params, negotiated, host });
    return this.session;
  }

  /** One request: any error becomes a refusal. */
  private answer(method: string, params: unknown, cancellation: Cancellation): Soon<unknown> {
    const refuse = (error: unknown): never => {
      throw this.toRefusal(method, error, cancellation);
    };
    try {
      const answer = this.answerOf(method, params, cancellation);
      return answer instanceof Promise ? answer.catch(refuse) : answer;
    } catch (error) {
      return refuse(error);
    }
  }

  private answerOf(method: string, params: unknown, cancellation: Cancellation): Soon<unknown> {
    // The parameters are what the protocol says, or the boundary catches what happens.
    if (method === 'initialize') return this.initialize(params as InitializeParams);
    if (method === 'shutdown') {
      this.isShutDown = true;
      return null;
    }
    if (this.isShutDown) throw new ResponseError(ErrorCodes.InvalidRequest, 'The server has been shut down.');
    if (this.starting === undefined) throw new ResponseError(ErrorCodes.ServerNotInitialized, 'initialize comes first.');
    return whenThere(this.session ?? this.starting, (session) => this.ask(method, params, cancellation, session));
  }

  private ask(method: string, params: unknown, cancellation: Cancellation, { service }: Session): Soon<unknown> {
    cancellation.throwIfAborted();
    const shown = createProgress(params, { notify: (name, value) => this.notify(name, value) });
    const answer = () => service.request(method, params, { cancellation, ...shown });
    return shown === undefined ? answer() : withEnd(answer, shown.end);
  }

  private toRefusal(method: string, error: unknown, signal: RequestSignal): ResponseError {
    if (error instanceof ResponseError) return error;
    if (signal.aborted) return new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
    this.report(`${method} failed`, error);
    return new ResponseError(ErrorCodes.InternalError, `${method} failed because of a fault in the server. Its log has the details.`);
  }

  /** One notification. They are taken in order, also those that arrive while the service is being loaded. */
  private take(method: string, params: unknown): void {
    if (method === 'exit') this.end();
    else if (this.session !== undefined) this.takeIn(this.session, method, params);
    else void this.starting?.then((session) => this.takeIn(session, method, params)).catch(() => undefined);
  }

  private takeIn(session: Session, method: string, params: unknown): void {
    try {
      // The parameters are what the method says, as far as the client keeps to the protocol; otherwise the boundary catches what happens.
      notifications[method]?.(session, params as never, (error) => this.report(`${method} failed`, error));
    } catch (error) {
      this.report(`${method} failed`, error);
    }
  }

  private notify(method: string, params: unknown): void {
    void this.connection.notify(method, params);
  }
}

async function withEnd(answer: () => Soon<unknown>, end: () => void): Promise<unknown> {
  try {
    return await answer();
  } finally {
    end();
  }
}

type Take<Params> = (session: Session, params: Params, onError: (error: unknown) => void) => void;

/** What a client tells, by method. Unknown ones are ignored, as the protocol wants it. */
const notifications: Readonly<Record<string, Take<never> | undefined>> = {
  __proto__: null as never,
  initialized: (session: Session) => session.begin(),
  'textDocument/didOpen': (({ service, publisher }, { textDocument: { uri, version, text } }) => {
    service.setDocument(TextDocument.create(uri, 'json', version, text));
    publisher.documentChanged(uri);
  }) satisfies Take<DidOpenTextDocumentParams>,
  'textDocument/didChange': (({ service, publisher }, { textDocument: { uri, version }, contentChanges }) => {
    const document = service.workspace.document(uri);
    if (document !== undefined) service.setDocument(documentVersions.update(document.textDocument, contentChanges, version));
    publisher.documentChanged(uri);
  }) satisfies Take<DidChangeTextDocumentParams>,
  'textDocument/didClose': (({ service, publisher }, { textDocument: { uri } }) => {
    service.closeDocument(uri);
    publisher.documentClosed(uri);
  }) satisfies Take<DidCloseTextDocumentParams>,
  'workspace/didChangeWatchedFiles': (({ service, publisher }, { changes }) => {
    service.filesChanged(changes);
    publisher.changedElsewhere();
  }) satisfies Take<DidChangeWatchedFilesParams>,
  'workspace/didChangeWorkspaceFolders': (({ service }, { event: { added, removed } }) => {
    service.changeFolders(
      added.map(({ uri }) => uri),
      removed.map(({ uri }) => uri),
    );
  }) satisfies Take<DidChangeWorkspaceFoldersParams>,
  'workspace/didChangeConfiguration': (({ service, client, askForSettings }, { settings }, onError) => {
    if (client.workspace?.configuration === true) askForSettings().catch(onError);
    else if (isObject(settings)) service.setSettings(settings.agentStack);
  }) satisfies Take<DidChangeConfigurationParams>,
};
