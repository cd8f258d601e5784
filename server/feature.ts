/**
 * The contract of the language server: one LSP request is one `Feature`, an entry of the list in `features/index.ts`.
 *
 * A feature carries its capability, so `initialize` announces exactly what is supported. Positions count in UTF-16 units. A feature answers from
 * `context.workspace` alone and asks the client nothing. The boundary around every handler logs what it throws and answers with an LSP error.
 *
 * Loading: the reply to `initialize` waits for the static imports of every file in `features/`, and for nothing else. So these files
 * import statically only types, the protocol's constants and small helpers. Code that needs a room of the core (rules, snapshot, prompt,
 * model table) is in a module of its own that is loaded by `await import()` when the first request comes.
 */
import type { ClientCapabilities, ServerCapabilities } from 'vscode-languageserver';
import type { Kind } from '../core/kinds.js';
import type { Logger } from '../core/ports.js';
import type { Member } from './checkParams.js';
import type { Diagnosis } from './diagnosis.js';
import type { Settings } from './settings.js';
import type { Workspace } from './workspace.js';

/** Answers one LSP request. `Result` may be null where the protocol says so. */
export interface Feature<Params, Result> {
  /** `textDocument/hover` */
  readonly method: string;
  /** The members that the parameters must have. A request without them is refused. */
  readonly needs: readonly Member[];
  /**
   * What the server announces for it; the parts of all features are merged (objects member by member, lists joined). Empty if another feature's
   * capability covers the request.
   */
  capability(client: ClientCapabilities): Partial<ServerCapabilities>;
  handle(params: Params, context: FeatureContext): Result | Promise<Result>;
}

/** What one request gets. Nothing in it outlives the request. */
export interface FeatureContext {
  /** All open documents and projects; the open text always takes precedence over the one on disk. */
  readonly workspace: Workspace;
  /** The findings of a file, as LSP diagnostics. */
  readonly diagnosis: Diagnosis;
  /** Aborted by `$/cancelRequest`, and when the document the request is about has changed meanwhile. Check it after every await. */
  readonly signal: AbortSignal;
  /** As sent with `initialize`. */
  readonly client: ClientCapabilities;
  readonly settings: Settings;
  /** Work-done progress; does nothing if the client did not request it. Ends with the request. */
  readonly progress: Progress;
  /** Sends a part of the result ahead, in the form of the method's partial result; undefined if the client did not request parts. */
  readonly sendPart: ((part: unknown) => void) | undefined;
  /** URI of the page about the fields of a kind of file; undefined when it is not shipped. */
  readonly fieldsPage: (kind: Kind) => string | undefined;
  /** Writes to `window/logMessage`; never pass it values of files. */
  readonly logger: Logger;
  /** Shows the user what the response cannot express. */
  showWarning(message: string): void;
  /** To be awaited in long loops, so that other requests are handled. @throws the signal's reason */
  pause(): Promise<void>;
}

export interface Progress {
  /** Opens it on first use. `percentage` from 0 to 100. */
  report(message: string, percentage?: number): void;
}

/** A feature of any method: the element type of the list. */
export type AnyFeature = Feature<never, unknown>;
