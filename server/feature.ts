/**
 * The contract of the language server: one LSP request is one `Feature`, an entry of the list in `features/index.ts`.
 *
 * A feature carries its capability, so `initialize` announces exactly what is answered. Positions count in UTF-16 units. A feature answers from
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
  /** What the parameters cannot do without. A request that lacks it is refused. */
  readonly needs: readonly Member[];
  /** What the server announces for it; the parts of all features are merged (objects member by member, lists joined). Empty for a request that another feature's capability covers. */
  capability(client: ClientCapabilities): Partial<ServerCapabilities>;
  handle(params: Params, context: FeatureContext): Result | Promise<Result>;
}

/** What one request gets. Nothing in it outlives the request. */
export interface FeatureContext {
  /** Every open document, every project; the open text always counts before the one on disk. */
  readonly workspace: Workspace;
  /** What is wrong in a file, as LSP diagnostics. */
  readonly diagnosis: Diagnosis;
  /** Aborted by `$/cancelRequest`, and when the document the request is about has changed meanwhile. Look at it after every await. */
  readonly signal: AbortSignal;
  /** As sent with `initialize`. */
  readonly client: ClientCapabilities;
  readonly settings: Settings;
  /** Work-done progress; does nothing when the client did not ask for it. Ends by itself with the request. */
  readonly progress: Progress;
  /** Sends a part of the result ahead, in the form the method's partial result has; undefined when the client did not ask for parts. */
  readonly sendPart: ((part: unknown) => void) | undefined;
  /** URI of the page about the fields of a kind of file; undefined when it is not shipped. */
  readonly fieldsPage: (kind: Kind) => string | undefined;
  /** Reaches `window/logMessage`; keep values of files out of it. */
  readonly logger: Logger;
  /** Shows the user what the answer cannot say. */
  showWarning(message: string): void;
  /** To be awaited in long loops: lets other requests in. @throws the signal's reason */
  pause(): Promise<void>;
}

export interface Progress {
  /** Opens it on first use. `percentage` from 0 to 100. */
  report(message: string, percentage?: number): void;
}

/** A feature of any method: what a list of them holds. */
export type AnyFeature = Feature<never, unknown>;
