import * as vscode from 'vscode';
import { Refusal } from './refusal.js';

/**
 * Everything that runs code, sends data or starts a process calls this first; hiding a menu item is not enough.
 * @throws Refusal in an untrusted workspace
 */
export function requireTrust(message?: string): void {
  if (vscode.workspace.isTrusted) return;
  throw new Refusal(message ?? vscode.l10n.t('Agents run only in a workspace you trust: a run sends its files to a model.'), [
    {
      title: vscode.l10n.t('Manage Workspace Trust'),
      run: () => vscode.commands.executeCommand('workbench.trust.manage'),
    },
  ]);
}
