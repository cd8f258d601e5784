import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRunSummary } from '../../../core/run/readRuns.js';
import type { Services } from '../../services.js';
import type { WithRuns } from '../run/runs.js';
import type { RunReference } from '../run/types.js';
import { pickRun } from './pickRun.js';
import { readReferences } from './reference.js';
import { uriOfRun } from './runDocuments.js';

/** Shows two runs side by side as text, the older one on the left. What the tree has not selected is asked for. */
export async function compareRuns(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  const chosen: RunReference[] = [...readReferences(services, argument, selection)].slice(0, 2);
  while (chosen.length < 2) {
    const placeholder = chosen.length === 0 ? vscode.l10n.t('Which run?') : vscode.l10n.t('Compare with which run?');
    const isOffered = (node: RunReference) => !chosen.some(({ folder, run_id }) => folder === node.folder && run_id === node.run_id);
    const next = await pickRun(services, { title: vscode.l10n.t('Compare Runs'), placeholder, isOffered });
    if (next === undefined) return;
    chosen.push(next);
  }
  const [left, right] = chosen.sort((one, other) => (one.run_id < other.run_id ? -1 : 1));
  if (!left || !right) return;
  const title = `${await titleOf(left)} ↔ ${await titleOf(right)}`;
  await vscode.commands.executeCommand('vscode.diff', uriOfRun(left), uriOfRun(right), title, { preview: true });
}

async function titleOf({ folder, run_id }: RunReference): Promise<string> {
  const { name, version, started } = await readRunSummary(createNodeFiles(folder.root), run_id);
  const time = started === null ? '' : ` ${new Date(started).toLocaleTimeString(vscode.env.language)}`;
  return `${[name ?? run_id, version].filter(Boolean).join('@')}${time}`;
}
