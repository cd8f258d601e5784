import * as vscode from 'vscode';
import { AgentStackError } from '../../core/errors.js';
import { FileProblem } from '../../core/ports.js';
import type { Client } from '../client.js';

/** A command of the palette, a menu or a link: loaded when it is used. */
export interface ClientCommand {
  /** With its title in package.json; `agentStack.server.*` belongs to the language server. */
  readonly id: `agentStack.${string}`;
  readonly run: (client: Client, ...args: readonly unknown[]) => unknown;
}

/** Something a user can put right: the message says how, and `actions` are buttons that do it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly actions: readonly RefusalAction[];

  constructor(message: string, actions: readonly RefusalAction[] = []) {
    super(message);
    this.actions = actions;
  }
}

export interface RefusalAction {
  readonly title: string;
  readonly run: () => unknown;
}

/** The one place where errors of commands are caught. */
export function registerCommand(client: Client, { id, run }: ClientCommand): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    try {
      return await run(client, ...args);
    } catch (error) {
      await tellFailure(client, id, error);
      return undefined;
    }
  });
}

/** What somebody asked for and did not get, with the next step. `id` names the command, or the one that opened the page where it was asked for. */
export async function tellFailure({ log }: Client, id: string, error: unknown): Promise<void> {
  if (error instanceof vscode.CancellationError) return;
  if (error instanceof Refusal) {
    const chosen = await vscode.window.showWarningMessage(error.message, ...error.actions.map(({ title }) => title));
    await error.actions.find(({ title }) => title === chosen)?.run();
    return;
  }
  if (error instanceof AgentStackError || error instanceof FileProblem) {
    await vscode.window.showErrorMessage(error.message);
    return;
  }
  log.error(`${id} failed`, error instanceof Error ? error : String(error));
  const show = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t('{0} failed: {1}', id, error instanceof Error ? error.message : String(error));
  if ((await vscode.window.showErrorMessage(message, show)) === show) log.show();
}
