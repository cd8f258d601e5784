import * as vscode from 'vscode';
import { runsFolder } from '../../../core/run/readRuns.js';
import type { WithRuns } from '../../panels/run/runs.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { discard } from '../discard.js';
import { readReference, readReferences } from './reference.js';

/** Cancels a run of this window; without an argument the visible one, else the one that began last. */
export function cancelRun(services: Services & WithRuns, argument?: unknown): void {
  const reference = readReference(services, argument);
  const live = (reference && services.runs.findLive(reference)) ?? (argument === undefined ? services.runs.live.at(-1) : undefined);
  if (live === undefined) throw new Refusal(vscode.l10n.t('No run of this window is in progress.'));
  live.cancel();
}

/** Deletes runs after asking, into the trash if there is one. @param argument `key`: the runs to which a key in the view applies */
export async function deleteRun(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  const { runs } = services;
  const references = argument === 'key' ? ((await runs.view?.focused()) ?? []) : readReferences(services, argument, selection);
  if (references.length === 0) return;
  const live = references.flatMap((reference) => runs.findLive(reference) ?? []);
  if (live.length > 0)
    throw new Refusal(vscode.l10n.t('A run in progress cannot be deleted. Cancel it first.'), [
      {
        title: vscode.l10n.t('Cancel Run'),
        run: () => {
          for (const run of live) run.cancel();
        },
      },
    ]);
  const button = vscode.l10n.t('Delete');
  const question =
    references.length === 1
      ? vscode.l10n.t('Delete this run with its prompt, answer and events?')
      : vscode.l10n.t('Delete {0} runs with their prompts, answers and events?', references.length);
  if ((await vscode.window.showWarningMessage(question, { modal: true }, button)) !== button) return;
  await discard(references.map(({ folder, run_id }) => folder.uriOf(`${runsFolder}/${run_id}`)));
  runs.tellChange();
}

/** Pins runs to the top of the view. */
export async function pinRun(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  for (const reference of readReferences(services, argument, selection)) await services.runs.setPinned(reference, true);
}

export async function unpinRun(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  for (const reference of readReferences(services, argument, selection)) await services.runs.setPinned(reference, false);
}

/** Shows the view "Runs" with a run selected in it. */
export async function showRunInHistory(services: Services & WithRuns, argument?: unknown): Promise<void> {
  const reference = readReference(services, argument);
  if (reference !== undefined) await services.runs.view?.reveal(reference);
}
