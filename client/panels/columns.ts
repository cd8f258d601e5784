import * as vscode from 'vscode';
import { locate } from '../../core/jsonText/locate.js';

/** The column beside the active one: before it if it is the last of several, so that no third column is opened. */
export function besideActive(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const last = Math.max(...all.map(({ viewColumn }) => viewColumn));
  return all.length > 1 && activeTabGroup.viewColumn === last ? last - 1 : vscode.ViewColumn.Beside;
}

/** Shows a document in an editor outside the column of a panel: where it is open already, else next to it. */
export async function showBeside(
  document: vscode.TextDocument,
  range: vscode.Range | undefined,
  panel: vscode.ViewColumn | undefined,
): Promise<void> {
  const { column, isOpen } = columnBeside(document.uri, panel);
  const editor = await vscode.window.showTextDocument(document, { viewColumn: column, preview: !isOpen });
  if (range === undefined) return;
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The column outside that of a panel in which a file is open already, else the one next to it. */
export function columnBeside(uri: vscode.Uri, panel: vscode.ViewColumn | undefined) {
  const columns = vscode.window.tabGroups.all
    .filter(
      ({ tabs, viewColumn }) =>
        viewColumn !== panel && tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
    )
    .map(({ viewColumn }) => viewColumn);
  const other = vscode.window.tabGroups.all.find(({ viewColumn }) => viewColumn !== panel)?.viewColumn;
  const column = columns[0] ?? other ?? (panel === vscode.ViewColumn.One ? vscode.ViewColumn.Beside : vscode.ViewColumn.One);
  return { column, isOpen: columns.length > 0 };
}

/** Where a value of a JSON document is, or what would hold it. Undefined for the whole document, and in one that is not JSON. */
export function rangeAt(document: vscode.TextDocument, pointer: string): vscode.Range | undefined {
  if (pointer === '' || !document.uri.path.endsWith('.json')) return undefined;
  const value = locate(document.getText(), [pointer]).get(pointer)?.value;
  if (value === undefined) return rangeAt(document, pointer.slice(0, pointer.lastIndexOf('/')));
  return new vscode.Range(document.positionAt(value.start), document.positionAt(value.end));
}
