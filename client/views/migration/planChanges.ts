import * as vscode from 'vscode';
import type { FileChange } from '../../../core/migrate/editPlaces.js';
import { isThere } from '../../isThere.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';

const scheme = 'agentstack-migrated';

/**
 * Writes all files in one edit, which one undo takes back, and saves those that had no unsaved changes.
 *
 * @returns the files that are not saved
 * @throws Refusal if it could not
 */
export async function applyChanges(folder: ProjectFolder, changes: readonly FileChange[]): Promise<readonly string[]> {
  const { t } = vscode.l10n;
  const changed = await findChanged(folder, changes);
  if (changed !== undefined) throw new Refusal(t('{0} has changed meanwhile, so nothing was written.', changed));
  const edit = new vscode.WorkspaceEdit();
  const saved: vscode.TextDocument[] = [];
  const unsaved: string[] = [];
  // New versions come last, since they count as soon as they exist.
  for (const { file, before, after } of changes.filter(({ action }) => action === 'change')) {
    const document = await vscode.workspace.openTextDocument(folder.uriOf(file));
    if (document.isDirty) unsaved.push(file);
    else saved.push(document);
    const { range, text } = difference(linesOf(before), linesOf(after));
    edit.replace(document.uri, range, text);
  }
  for (const { file, after } of changes.filter(({ action }) => action === 'create'))
    edit.createFile(folder.uriOf(file), { contents: new TextEncoder().encode(after) });
  if (!(await vscode.workspace.applyEdit(edit))) throw new Refusal(t('VS Code refused the edit, so nothing was written.'));
  for (const document of saved)
    if (!(await document.save())) throw new Refusal(t('{0} is changed in its editor, but could not be saved.', document.uri.fsPath));
  return unsaved;
}

/** The first file that is not as the plan has read it, saved or not; undefined where all are. */
async function findChanged(folder: ProjectFolder, changes: readonly FileChange[]): Promise<string | undefined> {
  for (const { file, source, before, action } of changes) {
    if (action === 'create' && (await isThere(folder.uriOf(file)))) return file;
    const uri = folder.uriOf(source);
    if (!(await isThere(uri)) || linesOf((await vscode.workspace.openTextDocument(uri)).getText()) !== linesOf(before)) return source;
  }
  return undefined;
}

/** Shows the files as they would be beside the files as they are. @returns what provides these texts */
export async function showChanges(folder: ProjectFolder, changes: readonly FileChange[], title: string): Promise<vscode.Disposable> {
  // A later plan has other texts under other addresses.
  const query = String(Date.now());
  const uriAfter = (file: string) => folder.uriOf(file).with({ scheme, query });
  const texts = new Map(changes.map(({ file, after }) => [uriAfter(file).toString(), after]));
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => texts.get(uri.toString()),
  });
  const pairs = changes.map(({ file, action }) => {
    const uri = folder.uriOf(file);
    return [uri, action === 'create' ? undefined : uri, uriAfter(file)];
  });
  await vscode.commands.executeCommand('vscode.changes', title, pairs);
  return provider;
}

/** The text of a document without what its editor decides: the byte order mark and the kind of line breaks. */
function linesOf(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}

/** The one stretch in which two texts differ. */
function difference(before: string, after: string): { readonly range: vscode.Range; readonly text: string } {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const place = (offset: number) => {
    const lines = before.slice(0, offset).split('\n');
    return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
  };
  return { range: new vscode.Range(place(start), place(before.length - end)), text: after.slice(start, after.length - end) };
}
