import * as vscode from 'vscode';

/** Puts another text into a file, as one edit that can be undone, and saves it unless it had unsaved changes. */
export async function replaceText(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const wasDirty = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)), text);
  if ((await vscode.workspace.applyEdit(edit)) && !wasDirty) await document.save();
}
