import type { PublishDiagnosticsParams } from 'vscode-languageserver';
import type { LanguageService } from './service.js';
import type { Affected } from './workspaceInit.js';

/** Delivers diagnostics to the client in the way it supports. */
export interface Publisher {
  /** The client has opened or changed a document. */
  documentChanged(uri: string): void;
  documentClosed(uri: string): void;
  /** Something else has changed, a file on disk for instance. `affected` is called with the affected files when the index is up to date. */
  changedElsewhere(): void;
  affected(affected: Affected): void;
}

export interface PublisherOptions {
  readonly service: () => LanguageService;
  readonly send: (params: PublishDiagnosticsParams) => Promise<void>;
  readonly onError: (error: unknown) => void;
}
