import type { ConfigDocument } from './configDocument.js';
import type { ServiceHost } from './host.js';
import type { ProjectState } from './projectState.js';

/** Files of one project whose findings may have changed. */
export interface Affected {
  readonly project: ProjectState;
  readonly paths: ReadonlySet<string> | 'all';
}

/** An open document and the project it belongs to. */
export interface OpenDocument {
  readonly document: ConfigDocument;
  readonly file: string | undefined;
  readonly project: ProjectState | undefined;
}

export interface WorkspaceInit {
  readonly host: ServiceHost;
  /** Whether an open document is ignored once its file is deleted, until it is changed or the file exists again. */
  readonly dropsDeleted: boolean;
  readonly onAffected: (affected: Affected) => void;
  readonly onError: (error: unknown) => void;
}
