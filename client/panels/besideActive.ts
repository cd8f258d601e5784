import * as vscode from 'vscode';

/** The column beside the active one: before it where it is the last of several, so that no third column is opened. */
export function besideActive(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const last = Math.max(...all.map(({ viewColumn }) => viewColumn));
  return all.length > 1 && activeTabGroup.viewColumn === last ? last - 1 : vscode.ViewColumn.Beside;
}
