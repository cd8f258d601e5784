// What the graph and its page send each other. Imported by both sides.
import type { GraphModel } from '../../../core/routing/graph/graphModel.js';
import type { RunPath } from '../../../core/routing/graph/runPath.js';
import { isString, type MessageOf } from '../messages.js';

/** A run whose path is shown in the graph. */
export interface RunView {
  readonly run_id: string | null;
  readonly path: RunPath;
  /** It is going on in this window. */
  readonly isLive: boolean;
}

/** What brings the panel back after a reload. */
export interface PanelState {
  readonly uri: string;
}

export type ToPage =
  /** Another file from now on; `path` is that in its project, `state` what brings the panel back. */
  | { readonly type: 'file'; readonly name: string; readonly path: string; readonly state: PanelState }
  /** The last good state of the file, and whether the orchestration may be run here. */
  | { readonly type: 'graph'; readonly model: GraphModel; readonly canRun: boolean }
  /** Why that is not the current content of the file; null when it is. */
  | { readonly type: 'stale'; readonly reason: string | null }
  /** No orchestration has been opened yet. */
  | { readonly type: 'nothing' }
  /** The pointer of what the caret of the editor is in; null where it is in nothing of the graph. */
  | { readonly type: 'lit'; readonly pointer: string | null }
  | { readonly type: 'run'; readonly run: RunView | null };

export const fromPage = {
  run: {},
  openRun: {},
  clearRun: {},
  saveSvg: {},
  saveMermaid: {},
  copyMermaid: {},
  /** Show this place of the file. */
  open: { pointer: isString },
};
export type FromPage = MessageOf<typeof fromPage>;
