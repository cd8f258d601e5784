import * as vscode from 'vscode';
import type { WithRuns } from '../../panels/run/runs.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { readReference } from './reference.js';

/** Cancels a run of this window; without an argument the one that is shown, else the one that began last. */
export function cancelRun(services: Services & WithRuns, argument?: unknown): void {
  const reference = readReference(services, argument);
  const live = (reference && services.runs.findLive(reference)) ?? (argument === undefined ? services.runs.live.at(-1) : undefined);
  if (live === undefined) throw new Refusal(vscode.l10n.t('No run of this window is in progress.'));
  live.cancel();
}
