import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import type { RunPath } from '../../../core/routing/graph/runPath.js';
import { readRun } from '../../../core/run/readRuns.js';
import { storyOf } from '../../../core/run/story/createStory.js';
import { pathOf } from '../../../core/run/story/pathOf.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunInProgress, RunReference } from '../../panels/run/types.js';
import type { GraphFile } from './graphFile.js';

/** The way of a run through its orchestration: of one that is going on, or of one read back from its folder. */
export interface ShownPath extends vscode.Disposable {
  readonly run_id: string | null;
  readonly path: RunPath;
  readonly isLive: boolean;
  /** There is more of the way. Never fires for a run that has ended. */
  readonly onDidChange: vscode.Event<void>;
}

/** Whether a run is one of this orchestration. */
export function isRunOf({ choice }: RunInProgress, { folder, name }: GraphFile): boolean {
  return 'orchestration' in choice && choice.folder === folder && choice.orchestration === name;
}

/** Of the run of an orchestration that began last, of those that are going on in this window. */
export function livePathOf({ runs }: WithRuns, file: GraphFile): ShownPath | undefined {
  const run = runs.live.findLast((one) => isRunOf(one, file));
  return run && livePath(run);
}

/** Undefined for a run of one agent. */
export function livePath(run: RunInProgress): ShownPath | undefined {
  const { transcript } = run;
  if (transcript.facts.kind !== 'orchestration') return undefined;
  const changed = new vscode.EventEmitter<void>();
  const listener = run.onDidAdd(() => changed.fire());
  return {
    get run_id() {
      return run.run_id;
    },
    get path() {
      return pathOf(transcript.story, !run.isLive);
    },
    get isLive() {
      return run.isLive;
    },
    onDidChange: changed.event,
    dispose() {
      listener.dispose();
      changed.dispose();
    },
  };
}

export async function storedPath({ folder, run_id }: RunReference): Promise<ShownPath> {
  const { events } = await readRun(createNodeFiles(folder.root), run_id);
  return {
    run_id,
    path: pathOf(storyOf(events), true),
    isLive: false,
    onDidChange: () => ({ dispose: () => undefined }),
    dispose: () => undefined,
  };
}
