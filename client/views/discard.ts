import * as vscode from 'vscode';

/** Deletes files and folders: into the trash if there is one, else for good, after asking. Missing ones are skipped. */
export async function discard(uris: readonly vscode.Uri[]): Promise<void> {
  const undeleted = await remove(uris, true);
  if (undeleted.length === 0) return;
  const forGood = vscode.l10n.t('Delete Permanently');
  const message = vscode.l10n.t('This system has no trash. Delete {0} permanently?', undeleted.length);
  if ((await vscode.window.showWarningMessage(message, { modal: true }, forGood)) === forGood) await remove(undeleted, false);
}

/** Those that could not go into the trash. @throws when they could not be deleted for good either */
async function remove(uris: readonly vscode.Uri[], useTrash: boolean): Promise<readonly vscode.Uri[]> {
  const undeleted: vscode.Uri[] = [];
  for (const uri of uris) {
    try {
      await vscode.workspace.fs.delete(uri, { recursive: true, useTrash });
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') continue;
      if (!useTrash) throw error;
      undeleted.push(uri);
    }
  }
  return undeleted;
}
