import * as vscode from 'vscode';
import { AgentStackError } from '../core/errors.js';
import { FileProblem } from '../core/ports.js';
import { Refusal } from './refusal.js';
import type { Services } from './services.js';

/** Tells why a command failed, with the next step. `id` names the command, or the one that opened the page it came from. */
export async function reportFailure({ log, cover }: Pick<Services, 'log' | 'cover'>, id: string, error: unknown): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  const words = cover.apply(error instanceof Error ? error.message : String(error));
  if (error instanceof Refusal) {
    const chosen = await vscode.window.showWarningMessage(words, ...error.actions.map(({ title }) => title));
    try {
      await error.actions.find(({ title }) => title === chosen)?.run();
    } catch (failure) {
      await reportFailure({ log, cover }, id, failure);
    }
    return;
  }
  if (error instanceof AgentStackError || error instanceof FileProblem) {
    await vscode.window.showErrorMessage(words);
    return;
  }
  log.error(`${id} failed`, error instanceof Error ? error : String(error));
  const show = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t('{0} failed: {1}', id, words);
  if ((await vscode.window.showErrorMessage(message, show)) === show) log.show();
}
