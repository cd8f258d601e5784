import * as vscode from 'vscode';
import { besideActive } from '../../panels/columns.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import { RunPanel, runPanelType } from '../../panels/run/runPanel.js';
import type { WithRuns } from '../../panels/run/runs.js';
import { nameOfRun } from '../../panels/run/runWords.js';
import type { OpenRunPanel, ShownRun } from '../../panels/run/types.js';
import type { Services } from '../../services.js';

/**
 * Shows a run in a separate panel, beside the editor. A panel of the same agent is reused when its run is over and not pinned.
 *
 * @param isNew it has just been started
 * @param keepsFocus the focus stays where it is
 */
export function showRun(
  services: Services & WithRuns & WithGraphs,
  run: ShownRun,
  { isNew, keepsFocus }: { readonly isNew: boolean; readonly keepsFocus: boolean },
): OpenRunPanel {
  const free = isNew ? services.runs.panels.find((panel) => isFree(panel, run)) : undefined;
  if (free !== undefined) {
    free.show(run);
    free.reveal(keepsFocus, free.column === services.graphs.loaded?.column ? besideGraph(services) : undefined);
    return free;
  }
  // All runs share a column, so that several of them do not split the window again and again.
  const viewColumn = services.runs.panels.find(({ isVisible }) => isVisible)?.column ?? besideGraph(services) ?? besideActive();
  const panel = vscode.window.createWebviewPanel(runPanelType, nameOfRun(run.transcript.facts), { viewColumn, preserveFocus: keepsFocus });
  return new RunPanel(services, panel, run);
}

function isFree({ run: { folder, isLive, transcript } }: OpenRunPanel, run: ShownRun): boolean {
  return folder === run.folder && !isLive && !transcript.facts.isPinned && transcript.facts.agent === run.transcript.facts.agent;
}

/** A graph lights up while its orchestration runs: the run takes none of its place, and opens no third column. */
function besideGraph({ graphs }: WithGraphs): vscode.ViewColumn | undefined {
  const column = graphs.loaded?.column;
  return column === undefined ? undefined : vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn !== column)?.viewColumn;
}
