import type { PublishDiagnosticsParams } from 'vscode-languageserver';
import type { LanguageService } from './service.js';
import type { Affected } from './workspaceState.js';

/** Brings diagnostics to the client, as it wants them. */
export interface Publisher {
  /** The client has opened or changed a document. */
  documentChanged(uri: string): void;
  documentClosed(uri: string): void;
  /** Something else has changed, a file on disk for instance. `affected` is called with the files concerned when the index has caught up. */
  changedElsewhere(): void;
  affected(affected: Affected): void;
}

export interface PublisherOptions {
  readonly service: () => LanguageService;
  readonly send: (params: PublishDiagnosticsParams) => Promise<void>;
  readonly onError: (error: unknown) => void;
}
