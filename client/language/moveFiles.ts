import * as vscode from 'vscode';
import type { LanguageServer } from './languageServer.js';

export interface FileMove {
  readonly from: vscode.Uri;
  readonly to: vscode.Uri;
}

/** Which files have to change when some are moved. */
export async function editForMove(server: LanguageServer, files: readonly FileMove[]): Promise<vscode.WorkspaceEdit> {
  const client = await server.start();
  if (client === undefined) return new vscode.WorkspaceEdit();
  const renames = files.map(({ from, to }) => ({ oldUri: from.toString(), newUri: to.toString() }));
  const { protocol2CodeConverter } = client;
  const changes = await client.sendRequest<Parameters<typeof protocol2CodeConverter.asWorkspaceEdit>[0]>('workspace/willRenameFiles', {
    files: renames,
  });
  return (await protocol2CodeConverter.asWorkspaceEdit(changes)) ?? new vscode.WorkspaceEdit();
}

/**
 * Changes the texts of files as an edit of the server's says, saves those that had no unsaved changes, and then moves files. VS Code asks nothing:
 * the server, which made the edit, has nothing to add.
 *
 * @returns false where a file could not be moved
 */
export async function applyMove(server: LanguageServer, edit: vscode.WorkspaceEdit, files: readonly FileMove[]): Promise<boolean> {
  const unsaved = new Set(vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.toString()));
  const texts = new vscode.WorkspaceEdit();
  for (const [uri, changes] of edit.entries()) texts.set(uri, changes);
  // In one edit with the move, changes of a file that moves would stay unsaved.
  // VS Code reports an empty edit as not applied.
  if (texts.size > 0 && !(await vscode.workspace.applyEdit(texts))) return false;
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && !unsaved.has(document.uri.toString())) await document.save();
  }
  const moves = new vscode.WorkspaceEdit();
  for (const { from, to } of files) moves.renameFile(from, to, { overwrite: false });
  server.isMoving = true;
  try {
    return files.length === 0 || (await vscode.workspace.applyEdit(moves));
  } finally {
    server.isMoving = false;
  }
}
