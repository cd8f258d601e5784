import * as vscode from 'vscode';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';

/**
 * A run reads the disk, so that it can be explained afterwards: unsaved files of it prevent it.
 *
 * @param isOfRun by project path
 * @param again runs it, when they have been saved
 * @throws Refusal naming the first of them
 */
export function refuseUnsaved(folder: ProjectFolder, isOfRun: (path: string) => boolean, again: () => unknown): void {
  const unsaved = vscode.workspace.textDocuments.filter((document) => {
    const path = document.isDirty ? folder.pathOf(document.uri) : undefined;
    return path !== undefined && isOfRun(path);
  });
  const [first] = unsaved;
  if (first === undefined) return;
  const path = folder.pathOf(first.uri) ?? '';
  const message =
    unsaved.length === 1
      ? vscode.l10n.t('{0} has changes that are not saved. A run uses what is on the disk.', path)
      : vscode.l10n.t('{0} and {1} more have changes that are not saved. A run uses what is on the disk.', path, unsaved.length - 1);
  throw new Refusal(message, [
    {
      title: vscode.l10n.t('Save and Run'),
      run: async () => {
        for (const document of unsaved) if (!(await document.save())) return;
        await again();
      },
    },
    { title: vscode.l10n.t('Show'), run: () => vscode.window.showTextDocument(first) },
  ]);
}
