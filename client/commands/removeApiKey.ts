import * as vscode from 'vscode';
import { removeKey, storedNames } from '../ports/storedKeys.js';
import { Refusal } from '../refusal.js';
import type { Services } from '../services.js';

/** Takes stored keys away; those of the environment are not ours. @param name the one to remove, without asking */
export async function removeApiKey({ extension }: Services, name?: unknown): Promise<void> {
  const names = storedNames(extension);
  if (typeof name === 'string') {
    await removeKey(extension, name);
    return;
  }
  if (names.length === 0) throw new Refusal(vscode.l10n.t('No API key is stored in VS Code.'));
  const chosen = await vscode.window.showQuickPick(
    names.map((label) => ({ label, iconPath: new vscode.ThemeIcon('key') })),
    {
      title: vscode.l10n.t('Remove API Key'),
      placeHolder: vscode.l10n.t('Which keys should be removed from the secret storage?'),
      canPickMany: true,
    },
  );
  if (chosen === undefined || chosen.length === 0) return;
  for (const { label } of chosen) await removeKey(extension, label);
  const removed = chosen.map(({ label }) => label).join(', ');
  void vscode.window.setStatusBarMessage(vscode.l10n.t('$(key) Removed: {0}', removed), 5_000);
}
