import * as vscode from 'vscode';
import { Refusal } from '../../refusal.js';
import { movedUri } from './movedPrompts.js';
import { readTemplate } from './readTemplate.js';

/** A template unchanged and with its changing parts last, side by side. Nothing is changed. */
export async function compareMovedPrompt(argument: unknown): Promise<void> {
  const file = typeof argument === 'string' ? vscode.Uri.parse(argument, true) : undefined;
  if (file === undefined || vscode.workspace.getWorkspaceFolder(file) === undefined)
    throw new Refusal(vscode.l10n.t('This is not a prompt of the workspace.'));
  const template = await readTemplate(file);
  if (template?.moved === undefined) throw new Refusal(vscode.l10n.t('The parts that change are already at the end of this prompt.'));
  const title = vscode.l10n.t('{0}: written ↔ what changes last', vscode.workspace.asRelativePath(file));
  await vscode.commands.executeCommand('vscode.diff', movedUri(file, 'written'), movedUri(file, 'moved'), title);
}
