import * as vscode from 'vscode';
import { Refusal } from './commands/refusal.js';

/**
 * What runs code, sends something out or starts a process begins with this, whatever the menus show or hide.
 * @throws Refusal in a workspace nobody trusts yet
 */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  throw new Refusal(vscode.l10n.t('Agents run only in a workspace you trust: a run sends its files to a model.'), [
    {
      title: vscode.l10n.t('Manage Workspace Trust'),
      run: () => vscode.commands.executeCommand('workbench.trust.manage'),
    },
  ]);
}
