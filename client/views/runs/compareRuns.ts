import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { readRunSummary } from '../../../core/run/readRuns.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { pickRuns, runAgent } from './pickRun.js';
import { readReferences } from './reference.js';
import { uriOfRun } from './runDocuments.js';

/** Shows two or more runs side by side in a table, oldest first. The user chooses the runs that are not selected in the tree. */
export async function compareRuns(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  const runs = await chooseRuns(services, argument, selection);
  if (runs === undefined) return;
  const { showComparison } = await import('../../panels/compare/showComparison.js');
  await showComparison(services, runs);
}

/** Shows two runs side by side as text, the older one on the left. */
export async function compareRunTexts(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  const [left, right] = (await chooseRuns(services, argument, selection)) ?? [];
  if (!left || !right) return;
  const title = `${await titleOf(left)} ↔ ${await titleOf(right)}`;
  await vscode.commands.executeCommand('vscode.diff', uriOfRun(left), uriOfRun(right), title, { preview: true });
}

/** The runs to compare, oldest first; undefined when the user cancelled. */
async function chooseRuns(
  services: Services & WithRuns,
  argument: unknown,
  selection: unknown,
): Promise<readonly RunReference[] | undefined> {
  const selected = readReferences(services, argument, selection);
  if (selected.length >= 2) return oldestFirst(selected);
  const [first] = selected;
  const picked = await pickRuns(services, {
    title: vscode.l10n.t('Compare Runs'),
    placeholder: first === undefined ? vscode.l10n.t('Which runs? Choose two or more.') : vscode.l10n.t('Compare with which runs?'),
    isOffered: ({ folder, run_id }) => folder !== first?.folder || run_id !== first.run_id,
    least: first === undefined ? 2 : 1,
    none: new Refusal(vscode.l10n.t('There is only one run, and none to compare it with.'), [runAgent()]),
  });
  const runs = [...selected, ...(picked ?? [])];
  return picked === undefined || runs.length < 2 ? undefined : oldestFirst(runs);
}

/** Ids start with the time. */
function oldestFirst(runs: readonly RunReference[]): readonly RunReference[] {
  return [...runs].sort((left, right) => (left.run_id < right.run_id ? -1 : 1));
}

async function titleOf({ folder, run_id }: RunReference): Promise<string> {
  const { name, version, started } = await readRunSummary(createNodeFiles(folder.root), run_id);
  const time = started === null ? '' : ` ${new Date(started).toLocaleTimeString(vscode.env.language)}`;
  return `${[name ?? run_id, version].filter(Boolean).join('@')}${time}`;
}
