import * as vscode from 'vscode';

/**
 * The nodes that a key in a tree acts on: the selection, or the node with the focus where that is outside of it, which is then selected alone. Arrow
 * keys move the focus only, and extensions learn of the selection only; so the focus is found by what selecting it changes.
 *
 * @param view has the focus
 */
export async function selectFocused<Node>(view: vscode.TreeView<Node>): Promise<readonly Node[]> {
  const before = view.selection;
  await vscode.commands.executeCommand('list.toggleSelection');
  const after = view.selection;
  const focused = after.find((node) => !before.includes(node));
  if (focused !== undefined && before.length === 0) return [focused];
  if (focused !== undefined) await vscode.commands.executeCommand('list.clear');
  // The node with the focus is selected again, or alone.
  if (focused !== undefined || after.length < before.length) await vscode.commands.executeCommand('list.toggleSelection');
  return focused === undefined ? before : [focused];
}
