import { type ClientCapabilities, ErrorCodes, FileChangeType, type FileEvent, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Logger } from '../core/ports.js';
import { takesProjectDiagnostics } from './capabilities.js';
import { checkParams } from './checkParams.js';
import { createDiagnosis, type Diagnosis, type DiagnosticReport } from './diagnosis.js';
import type { AnyFeature, FeatureContext, Progress } from './feature.js';
import type { ServiceHost } from './host.js';
import { readClientSettings } from './settings.js';
import type { Workspace } from './workspace.js';
import type { Affected } from './workspaceInit.js';
import { WorkspaceState } from './workspaceState.js';

export interface ServiceOptions {
  readonly host: ServiceHost;
  readonly features: readonly AnyFeature[];
  readonly client: ClientCapabilities;
  readonly logger: Logger;
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  /** Called with the files whose diagnostics may have changed, whenever the index is brought up to date. */
  readonly onAffected?: (affected: Affected) => void;
  /** Default: warnings for the user are dropped. */
  readonly showWarning?: FeatureContext['showWarning'];
}

export interface RequestOptions {
  /** Ends the request when it is aborted. The service also ends it when the document changes meanwhile. */
  readonly signal?: AbortSignal;
  readonly progress?: Progress | undefined;
  readonly sendPart?: FeatureContext['sendPart'];
}

/** The language service without a transport. Positions are UTF-16. */
export interface LanguageService {
  readonly workspace: Workspace;
  readonly diagnosis: Diagnosis;
  /** The editor has opened or changed a document. Each version is a separate object. */
  setDocument(textDocument: TextDocument): void;
  closeDocument(uri: string): void;
  filesChanged(events: readonly FileEvent[]): void;
  /** Finds changes on the disk that the client has not reported. */
  lookAgain(): void;
  /** Workspace folders come and go, by URI. */
  changeFolders(added: readonly string[], removed: readonly string[]): void;
  /** @param section what the client says about `agentStack` */
  setSettings(section: unknown): void;
  /** Starts indexing the workspace folders in the background. */
  start(): void;
  /** Resolves when no more changes or diagnostic requests arrive. Each turn of the event loop delivers one message, so a burst is handled once. */
  quiet(): Promise<void>;
  /** Brings the index up to date, which calls `onAffected`. */
  settle(): void;
  diagnose(uri: string): Promise<DiagnosticReport>;
  /**
   * Answers one LSP request.
   *
   * @throws ResponseError when the method is unknown, the document has changed, or the feature refuses; the signal's reason; a feature's bug
   */
  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
}

/**
 * Requests that use the latest text, so that a change does not make them stale: they wait for the last change of a burst. They load
 * the files they need.
 */
const neverStale = new Set(['textDocument/diagnostic']);

const noProgress: Progress = { report: () => undefined };

export function createService(options: ServiceOptions): LanguageService {
  const { host, features, client, logger, folders, onAffected = () => undefined, showWarning = () => undefined } = options;
  const onError = (error: unknown) => logger.log('error', 'Indexing failed', { error });
  const workspace = new WorkspaceState({ host, dropsDeleted: takesProjectDiagnostics(client), onAffected, onError });
  workspace.setFolders(folders);
  const diagnosis = createDiagnosis(workspace, host);
  const byMethod = new Map(features.map((feature) => [feature.method, feature]));
  const underWay = new Set<{ readonly uri: string; readonly outdated: AbortController }>();

  let arrivals = 0;
  let quiet: Promise<void> | undefined;
  const untilQuiet = async () => {
    let seen: number;
    do {
      seen = arrivals;
      await host.nextTurn();
    } while (seen !== arrivals);
    quiet = undefined;
  };
  const waitUntilQuiet = () => {
    quiet ??= untilQuiet();
    return quiet;
  };

  /** Ends the requests about a text that has been replaced. */
  const outdate = (uri: string) => {
    for (const request of underWay)
      if (request.uri === uri)
        request.outdated.abort(new ResponseError(LSPErrorCodes.ContentModified, 'The document has changed since the request.'));
  };

  return {
    workspace,
    diagnosis,
    setDocument(textDocument) {
      arrivals += 1;
      outdate(textDocument.uri);
      workspace.setText(textDocument);
    },
    closeDocument(uri) {
      arrivals += 1;
      outdate(uri);
      workspace.close(uri);
    },
    filesChanged(events) {
      arrivals += 1;
      const isChange = ({ type }: FileEvent) => type === FileChangeType.Changed;
      const urisOf = (some: readonly FileEvent[]) => some.map(({ uri }) => uri);
      workspace.changedOnDisk(urisOf(events.filter(isChange)), { names: false });
      workspace.changedOnDisk(urisOf(events.filter((event) => !isChange(event))), { names: true });
    },
    lookAgain: () => workspace.lookAgain(),
    changeFolders(added, removed) {
      const gone = new Set(removed.map((uri) => host.toPath(uri)));
      const remaining = workspace.folders.filter((folder) => !gone.has(folder));
      workspace.setFolders([...new Set([...remaining, ...added.flatMap((uri) => host.toPath(uri) ?? [])])]);
    },
    setSettings: (section) => workspace.setSettings(readClientSettings(section)),
    start: () => workspace.start(),
    quiet: waitUntilQuiet,
    settle: () => workspace.settle(),
    diagnose: (uri) => diagnosis.reportOf(uri),
    async request(method, params, { signal: cancelled = new AbortController().signal, progress = noProgress, sendPart } = {}) {
      const feature = byMethod.get(method);
      if (feature === undefined) throw new ResponseError(ErrorCodes.MethodNotFound, `The server does not support ${method}.`);
      checkParams(method, params, feature.needs);
      const uri = neverStale.has(method) ? '' : uriOf(params);
      const request = { uri, outdated: new AbortController() };
      const signal = AbortSignal.any([cancelled, request.outdated.signal]);
      const pause = async () => {
        await host.nextTurn();
        signal.throwIfAborted();
      };
      underWay.add(request);
      try {
        // Just after the start the files are still being read.
        if (uri !== '') await workspace.loaded(uri);
        else if (neverStale.has(method)) {
          arrivals += 1;
          await waitUntilQuiet();
        }
        signal.throwIfAborted();
        const { settings } = workspace;
        const { fieldsPage } = host;
        const perRequest = { signal, progress, sendPart, pause };
        const context: FeatureContext = { workspace, diagnosis, client, settings, logger, fieldsPage, showWarning, ...perRequest };
        const answer = await feature.handle(params as never, context);
        signal.throwIfAborted();
        return answer ?? null;
      } finally {
        underWay.delete(request);
      }
    },
  };
}

/** The document that a request is about; empty if there is none. */
function uriOf(params: unknown): string {
  const document = (params as { textDocument?: { uri?: unknown } } | null | undefined)?.textDocument;
  return typeof document?.uri === 'string' ? document.uri : '';
}
