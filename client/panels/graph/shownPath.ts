import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import type { RunPath } from '../../../core/routing/graph/runPath.js';
import { readRun } from '../../../core/run/readRuns.js';
import { storyOf } from '../../../core/run/story/createStory.js';
import { pathOf } from '../../../core/run/story/pathOf.js';
import type { Story } from '../../../core/run/story/types.js';
import type { ProjectFolder } from '../../projects.js';
import type { GraphFile } from './graphFile.js';

/** A run in progress in this window, as a graph follows it. */
export interface FollowedRun {
  /** What was started: an orchestration, or one agent. */
  readonly choice: { readonly folder: ProjectFolder; readonly orchestration?: string };
  readonly run_id: string | null;
  readonly isLive: boolean;
  readonly transcript: { readonly facts: { readonly kind: string }; readonly story: Story };
  readonly onDidAdd: vscode.Event<unknown>;
}

export interface WithLiveRuns {
  readonly runs: { readonly live: readonly FollowedRun[] };
}

/** The path of a run through its orchestration: of one in progress, or of one read back from its folder. */
export interface ShownPath extends vscode.Disposable {
  readonly run_id: string | null;
  readonly path: RunPath;
  readonly isLive: boolean;
  /** The path has grown. Never fires for a run that has ended. */
  readonly onDidChange: vscode.Event<void>;
}

/** Whether a run is one of this orchestration. */
export function isRunOf({ choice }: FollowedRun, { folder, name }: GraphFile): boolean {
  return choice.folder === folder && choice.orchestration === name;
}

/** The latest run of the orchestration among those in progress in this window. */
export function livePathOf({ runs }: WithLiveRuns, file: GraphFile): ShownPath | undefined {
  const run = runs.live.findLast((run) => isRunOf(run, file));
  return run && livePath(run);
}

/** Undefined for a run of one agent. */
export function livePath(run: FollowedRun): ShownPath | undefined {
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

export async function storedPath({ root }: ProjectFolder, run_id: string): Promise<ShownPath> {
  const { events } = await readRun(createNodeFiles(root), run_id);
  return {
    run_id,
    path: pathOf(storyOf(events), true),
    isLive: false,
    onDidChange: () => ({ dispose: () => undefined }),
    dispose: () => undefined,
  };
}
