import * as vscode from 'vscode';
import type { WithServer } from '../language/languageServer.js';

/** Restarts the language server and reports when it is back. One that does not start has its own message. */
export async function restartServer({ server }: WithServer): Promise<void> {
  const options = { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Restarting the language server...') };
  await vscode.window.withProgress(options, () => server.restart());
  if ((await server.start()) !== undefined) void vscode.window.showInformationMessage(vscode.l10n.t('The language server is back.'));
}
