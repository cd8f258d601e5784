import * as vscode from 'vscode';
import { runsFolder } from '../../../core/run/readRuns.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { RunReference } from '../../panels/run/types.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { discard } from '../discard.js';
import { readReferences } from './reference.js';

/** Deletes runs, after asking: into the trash where there is one. @param argument `key` for those that a key in the view is meant for */
export async function deleteRun(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  const references = argument === 'key' ? await focusedRuns(services) : readReferences(services, argument, selection);
  const [first] = references;
  if (first === undefined) return;
  if (references.some((reference) => services.runs.findLive(reference))) {
    throw new Refusal(vscode.l10n.t('A run in progress cannot be deleted. Cancel it first.'));
  }
  const button = vscode.l10n.t('Delete');
  const question =
    references.length === 1
      ? vscode.l10n.t('Delete this run with its prompt, answer and events?')
      : vscode.l10n.t('Delete {0} runs with their prompts, answers and events?', references.length);
  if ((await vscode.window.showWarningMessage(question, { modal: true }, button)) !== button) return;
  await discard(references.map(({ folder, run_id }) => folder.uriOf(`${runsFolder}/${run_id}`)));
  services.runs.tellChange();
}

async function focusedRuns({ runs }: WithRuns): Promise<readonly RunReference[]> {
  return (await runs.view?.focused()) ?? [];
}
