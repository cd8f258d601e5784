import * as vscode from 'vscode';
import type { Client } from '../client.js';

/** A command of the palette, a menu or a link: loaded when it is used. */
export interface ClientCommand {
  /** With its title in package.json; `agentStack.server.*` belongs to the language server. */
  readonly id: `agentStack.${string}`;
  readonly run: (client: Client, ...args: readonly unknown[]) => unknown;
}

/** The one place where errors of commands are caught. */
export function registerCommand(client: Client, { id, run }: ClientCommand): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    try {
      return await run(client, ...args);
    } catch (error) {
      const { tellFailure } = await import('./tellFailure.js');
      await tellFailure(client, id, error);
      return undefined;
    }
  });
}
