import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRunSummary } from '../../../core/run/readRuns.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import type { Services } from '../../services.js';
import { chooseRuns } from './chooseRuns.js';
import { uriOfRun } from './runDocuments.js';

/** Shows two runs side by side as text, the older one on the left. The user is asked for what the tree has not selected. */
export async function compareTexts(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  const [left, right] = (await chooseRuns(services, argument, selection)) ?? [];
  if (!left || !right) return;
  const title = `${await titleOf(left)} ↔ ${await titleOf(right)}`;
  await vscode.commands.executeCommand('vscode.diff', uriOfRun(left), uriOfRun(right), title, { preview: true });
}

async function titleOf({ folder, run_id }: RunReference): Promise<string> {
  const { name, version, started } = await readRunSummary(createNodeFiles(folder.root), run_id);
  const time = started === null ? '' : ` ${new Date(started).toLocaleTimeString(vscode.env.language)}`;
  return `${[name ?? run_id, version].filter(Boolean).join('@')}${time}`;
}
