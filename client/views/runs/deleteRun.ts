import * as vscode from 'vscode';
import { runsFolder } from '../../../core/run/readRuns.js';
import { Refusal } from '../../commands/refusal.js';
import type { Services } from '../../services.js';
import type { WithRuns } from '../run/runs.js';
import type { RunReference } from '../run/types.js';
import { readReferences } from './reference.js';

/** Deletes runs, after asking: into the trash where there is one. */
export async function deleteRun(services: Services & WithRuns, argument?: unknown, selection?: unknown): Promise<void> {
  const references = readReferences(services, argument, selection);
  const [first] = references;
  if (first === undefined) return;
  if (references.some((reference) => services.runs.findLive(reference))) {
    throw new Refusal(vscode.l10n.t('A run that is going on cannot be deleted. Cancel it first.'));
  }
  const button = vscode.l10n.t('Delete');
  const question =
    references.length === 1
      ? vscode.l10n.t('Delete this run with its prompt, answer and events?')
      : vscode.l10n.t('Delete {0} runs with their prompts, answers and events?', references.length);
  if ((await vscode.window.showWarningMessage(question, { modal: true }, button)) !== button) return;
  const left = await discard(references, true);
  if (left.length > 0) {
    const forGood = vscode.l10n.t('Delete Permanently');
    const message = vscode.l10n.t('There is no trash here. Delete {0} for good?', left.length);
    if ((await vscode.window.showWarningMessage(message, { modal: true }, forGood)) === forGood) await discard(left, false);
  }
  services.runs.tellChange();
}

/** Those that could not go into the trash. @throws when they could not be deleted for good either */
async function discard(references: readonly RunReference[], useTrash: boolean): Promise<readonly RunReference[]> {
  const left: RunReference[] = [];
  for (const reference of references) {
    const uri = reference.folder.uriOf(`${runsFolder}/${reference.run_id}`);
    try {
      await vscode.workspace.fs.delete(uri, { recursive: true, useTrash });
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') continue;
      if (!useTrash) throw error;
      left.push(reference);
    }
  }
  return left;
}
