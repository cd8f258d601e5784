import * as vscode from 'vscode';
import { pathOf } from '../../../core/config/paths.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRunSummary } from '../../../core/run/readRuns.js';
import { isThere } from '../../isThere.js';
import { orchestrationFile } from '../../panels/graph/graphFile.js';
import type { WithGraphs } from '../../panels/graph/graphLoader.js';
import { livePath, storedPath } from '../../panels/graph/shownPath.js';
import type { WithRuns } from '../../panels/run/runs.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { readReference } from '../runs/reference.js';

/** Shows the position or the path of an orchestration's run, in the current graph of the orchestration. */
export async function showRunGraph(services: Services & WithRuns & WithGraphs, argument?: unknown): Promise<void> {
  const reference = readReference(services, argument);
  if (reference === undefined) return;
  const { folder, run_id } = reference;
  const files = createNodeFiles(folder.root);
  const live = services.runs.findLive(reference);
  const name = live?.transcript.facts.agent ?? (await readRunSummary(files, run_id)).name ?? '';
  const uri = folder.uriOf(pathOf('orchestration', name, await readProjectSettings(files)));
  const file = await orchestrationFile(services, uri);
  if (file === undefined || !(await isThere(uri)))
    throw new Refusal(vscode.l10n.t('There is no orchestration {0} any more.', name), [
      { title: vscode.l10n.t('Show Snapshot'), run: () => vscode.commands.executeCommand('agentStack.showRunSnapshot', reference) },
    ]);
  const path = (live && livePath(live)) ?? (await storedPath(folder, run_id));
  (await services.graphs.load()).showPath(file, path);
}
