import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** The folder that is open: a copy of the sample project. */
export function workspaceRoot(): string {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder, 'a folder is open');
  return folder.uri.fsPath;
}

export function fileUri(path: string): vscode.Uri {
  return vscode.Uri.file(join(workspaceRoot(), path));
}

/** Opens a file of the workspace in an editor. */
export async function openFile(path: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(fileUri(path));
  await vscode.window.showTextDocument(document);
  return document;
}

/** Waits until something is so. @throws after 20 s, naming what was waited for */
export async function until<Value>(
  find: () => Value | Promise<Value>,
  what: string,
  milliseconds = 20_000,
): Promise<Exclude<Value, undefined | false | null>> {
  const end = Date.now() + milliseconds;
  for (;;) {
    const found = await find();
    // What is falsy has just been ruled out, which the compiler cannot tell for a type parameter.
    if (found) return found as Exclude<Value, undefined | false | null>;
    if (Date.now() > end) throw new Error(`Waited ${milliseconds} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Where a text begins or ends in a document. @throws when it is not there */
export function place(document: vscode.TextDocument, text: string, side: 'start' | 'end' = 'start'): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `${JSON.stringify(text)} is in ${document.uri.path}`);
  return document.positionAt(side === 'start' ? offset : offset + text.length);
}

/** Puts one text in the place of another, unsaved. */
export async function replaceText(document: vscode.TextDocument, before: string, after: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(place(document, before), place(document, before, 'end')), after);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Reverts the active editor to what is on disk. */
export async function undoAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.files.revert');
}

/** Closes every editor, and reverts what is not saved. */
export async function closeAllEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
