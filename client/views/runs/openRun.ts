import * as vscode from 'vscode';
import type { Client } from '../../client.js';
import { showRun } from '../run/showRun.js';
import { pickRun } from './pickRun.js';
import { readReference } from './reference.js';
import { readStoredRun } from './storedRun.js';

/** Shows a run of the history in a panel; one that is going on, or shown already, in the panel it has. */
export async function openRun(client: Client, argument?: unknown): Promise<void> {
  const question = {
    title: vscode.l10n.t('Open Run'),
    placeholder: vscode.l10n.t('Which run?'),
    isOffered: () => true,
  };
  const reference = (argument === undefined ? undefined : readReference(client, argument)) ?? (await pickRun(client, question));
  if (reference === undefined) return;
  // In the tree, arrows and Delete go on working.
  const keepsFocus = typeof argument === 'object' && argument !== null && 'summary' in argument;
  const panel = client.runs.findPanel(reference);
  if (panel !== undefined) {
    panel.reveal(keepsFocus);
    return;
  }
  const { folder, run_id } = reference;
  const run = client.runs.findLive({ folder, run_id }) ?? (await readStoredRun(reference, client.runs.isPinned(reference)));
  showRun(client, run, { isNew: false, keepsFocus });
}
