import { type ClientCapabilities, ErrorCodes, type FileEvent, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Logger } from '../core/ports.js';
import { Cancellation } from './cancellation.js';
import { createDiagnosis, type Diagnosis, type DiagnosticReport } from './diagnosis.js';
import type { AnyFeature, FeatureContext, Progress } from './feature.js';
import type { ServiceHost } from './host.js';
import { readClientSettings } from './settings.js';
import { type Soon, whenThere } from './soon.js';
import type { Workspace } from './workspace.js';
import { type Affected, WorkspaceState } from './workspaceState.js';

export interface ServiceOptions {
  readonly host: ServiceHost;
  readonly features: readonly AnyFeature[];
  readonly client: ClientCapabilities;
  readonly logger: Logger;
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  /** Told which files' diagnostics may have changed, whenever the index catches up. */
  readonly onAffected?: (affected: Affected) => void;
}

export interface RequestOptions {
  /** Ends the request when it is aborted; the service does so itself when the document changes meanwhile. */
  readonly cancellation?: Cancellation;
  readonly progress?: Progress | undefined;
  readonly sendPart?: FeatureContext['sendPart'];
}

/** The language service without a transport: what arrives from an editor goes in, answers come out. Positions are UTF-16. */
export interface LanguageService {
  readonly workspace: Workspace;
  readonly diagnosis: Diagnosis;
  /** The editor has opened or changed a document. Each version is an object of its own. */
  setDocument(textDocument: TextDocument): void;
  closeDocument(uri: string): void;
  filesChanged(events: readonly FileEvent[]): void;
  /** Workspace folders come and go, by URI. */
  changeFolders(added: readonly string[], removed: readonly string[]): void;
  /** @param section what the client says about `agentStack` */
  setSettings(section: unknown): void;
  /** Begins to index the workspace folders in the background. */
  start(): void;
  /** Catches up with all that has arrived, so that `onAffected` is told. */
  settle(): void;
  diagnose(uri: string): Soon<DiagnosticReport>;
  /**
   * Answers one LSP request, at once where nothing has to be waited for.
   *
   * @throws ResponseError when the method is unknown, the document has changed meanwhile, or the feature refuses; the signal's reason; any bug of a feature
   */
  request(method: string, params: unknown, options?: RequestOptions): Soon<unknown>;
}

/** Answers that are about the text as it is when they are ready, so a change meanwhile does not make them stale. They wait by themselves. */
const neverStale = new Set(['textDocument/diagnostic']);

const noProgress: Progress = { report: () => undefined };

export function createService({ host, features, client, logger, folders, onAffected = () => undefined }: ServiceOptions): LanguageService {
  const error = (cause: unknown) => logger.log('error', 'Indexing failed', { error: cause });
  const workspace = new WorkspaceState(host, { affected: onAffected, error });
  workspace.setFolders(folders);
  const diagnosis = createDiagnosis(workspace, host);
  const byMethod = new Map(features.map((feature) => [feature.method, feature]));
  const waiting = new Map<string, Set<Cancellation>>();

  /** Ends the requests about a text that is no more. */
  const outdate = (uri: string) => {
    const outdated = waiting.get(uri);
    waiting.delete(uri);
    for (const cancellation of outdated ?? [])
      cancellation.abort(new ResponseError(LSPErrorCodes.ContentModified, 'The document has changed since it was asked about.'));
  };

  /** The answer to a request that ends when the text it is about is no more. */
  const answerAbout = async (uri: string, signal: Cancellation, answer: () => Soon<unknown>) => {
    waiting.set(uri, (waiting.get(uri) ?? new Set()).add(signal));
    try {
      // Just after the start the files are still being read.
      const known = workspace.known(uri);
      if (known !== undefined) {
        await known;
        signal.throwIfAborted();
      }
      return await answer();
    } finally {
      waiting.get(uri)?.delete(signal);
    }
  };

  return {
    workspace,
    diagnosis,
    setDocument(textDocument) {
      outdate(textDocument.uri);
      workspace.setText(textDocument);
    },
    closeDocument(uri) {
      outdate(uri);
      workspace.close(uri);
    },
    filesChanged(events) {
      const [changed, other] = [events.filter(({ type }) => type === 2), events.filter(({ type }) => type !== 2)];
      workspace.changedOnDisk(
        changed.map(({ uri }) => uri),
        { names: false },
      );
      if (other.length > 0)
        workspace.changedOnDisk(
          other.map(({ uri }) => uri),
          { names: true },
        );
    },
    changeFolders(added, removed) {
      const gone = new Set(removed.map((uri) => host.toPath(uri)));
      const kept = workspace.folders.filter((folder) => !gone.has(folder));
      workspace.setFolders([...new Set([...kept, ...added.flatMap((uri) => host.toPath(uri) ?? [])])]);
    },
    setSettings: (section) => workspace.setSettings(readClientSettings(section)),
    start: () => workspace.start(),
    settle: () => workspace.settle(),
    diagnose: (uri) => diagnosis.reportOf(uri),
    request(method, params, { cancellation: signal = new Cancellation(), progress = noProgress, sendPart } = {}) {
      const feature = byMethod.get(method);
      if (feature === undefined) throw new ResponseError(ErrorCodes.MethodNotFound, `The server does not answer ${method}.`);
      signal.throwIfAborted();
      const answer = () => {
        const { settings } = workspace;
        const { fieldsPage } = host;
        const pause = () => workspace.pause(signal);
        const context: FeatureContext = { workspace, diagnosis, signal, client, settings, progress, sendPart, logger, fieldsPage, pause };
        // The parameters are what the method says, as far as the client keeps to the protocol.
        return whenThere(feature.handle(params as never, context), (found) => {
          signal.throwIfAborted();
          return found ?? null;
        });
      };
      const uri = neverStale.has(method) ? undefined : uriOf(params);
      return uri === undefined ? answer() : answerAbout(uri, signal, answer);
    },
  };
}

function uriOf(params: unknown): string | undefined {
  const document = (params as { textDocument?: { uri?: unknown } } | null | undefined)?.textDocument;
  return typeof document?.uri === 'string' ? document.uri : undefined;
}
