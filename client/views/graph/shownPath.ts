import type { Disposable, Event } from 'vscode';
import type { RunPath } from '../../../core/routing/graph/runPath.js';

/** The way of a run through its orchestration: of one that is going on, or of one read back from its folder. */
export interface ShownPath extends Disposable {
  readonly run_id: string | null;
  readonly path: RunPath;
  readonly isLive: boolean;
  /** There is more of the way. Never fires for a run that has ended. */
  readonly onDidChange: Event<void>;
}
