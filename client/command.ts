import * as vscode from 'vscode';
import type { Services } from './services.js';

/** A command of the palette, a menu or a link: loaded when it is used. */
export interface Command<Needs> {
  /** With its title in package.json; `agentStack.server.*` belongs to the language server. */
  readonly id: `agentStack.${string}`;
  readonly run: (needs: Needs, ...args: readonly unknown[]) => unknown;
}

/** The one place where errors of commands are caught. */
export function registerCommand<Needs extends Pick<Services, 'log' | 'cover'>>(
  needs: Needs,
  { id, run }: Command<Needs>,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
    try {
      return await run(needs, ...args);
    } catch (error) {
      const { reportFailure } = await import('./reportFailure.js');
      await reportFailure(needs, id, error);
      return undefined;
    }
  });
}
