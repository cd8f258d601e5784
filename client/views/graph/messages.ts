// What the graph view and its page say to each other. Imported by both sides; of the core it has types alone. Each side checks what it gets.
import type { GraphModel } from '../../../core/routing/graph/graphModel.js';
import type { RunPath } from '../../../core/routing/graph/runPath.js';

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

/** From the extension to the page. */
export type ToPage =
  /** Another file from now on; `path` is that in its project, `state` what brings the panel back. */
  | { readonly type: 'file'; readonly name: string; readonly path: string; readonly state: PanelState }
  /** The last good state of the file, and whether the orchestration may be run here. */
  | { readonly type: 'graph'; readonly model: GraphModel; readonly canRun: boolean }
  /** Why that is not what the file says now; null when it is. */
  | { readonly type: 'stale'; readonly reason: string | null }
  /** No orchestration has been opened yet. */
  | { readonly type: 'nothing' }
  /** The pointer of what the caret of the editor is in; null for none of it. */
  | { readonly type: 'lit'; readonly pointer: string | null }
  | { readonly type: 'run'; readonly run: RunView | null };

const actions = ['ready', 'run', 'openRun', 'clearRun', 'saveSvg', 'saveMermaid', 'copyMermaid'] as const;
export type GraphAction = (typeof actions)[number];

/** From the page to the extension. */
export type FromPage =
  | { readonly type: GraphAction }
  /** Show this place of the file. */
  | { readonly type: 'open'; readonly pointer: string };

export function isFromPage(value: unknown): value is FromPage {
  if (!isRecord(value)) return false;
  if (value.type === 'open') return typeof value.pointer === 'string';
  return actions.some((action) => action === value.type);
}

/** Whether the page got a message it knows. The extension made it, so its parts are what the type says. */
export function isToPage(value: unknown): value is ToPage {
  return isRecord(value) && typeof value.type === 'string' && ['file', 'graph', 'stale', 'nothing', 'lit', 'run'].includes(value.type);
}

/** Whether a state the page kept over a reload can be used. */
export function isPanelState(value: unknown): value is PanelState {
  return isRecord(value) && typeof value.uri === 'string';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
