import * as vscode from 'vscode';
import type { Client } from '../../client.js';
import { Refusal } from '../../commands/refusal.js';
import { readReference } from './reference.js';

/** Cancels a run of this window; without an argument the one that is shown, else the one that began last. */
export function cancelRun(client: Client, argument?: unknown): void {
  const reference = readReference(client, argument);
  const live = (reference && client.runs.findLive(reference)) ?? (argument === undefined ? client.runs.live.at(-1) : undefined);
  if (live === undefined) throw new Refusal(vscode.l10n.t('No run of this window is going on.'));
  live.cancel();
}
