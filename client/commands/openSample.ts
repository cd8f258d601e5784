import * as vscode from 'vscode';
import type { Services } from '../services.js';

/** What the sample project is made of, in the extension's own folder. */
const parts = ['agentstack.json', 'config'];

/**
 * Copies the sample project into a new folder below the one that is chosen, and opens it. Nothing there is overwritten.
 *
 * @param into where to copy it without asking and without opening it
 * @returns the new folder
 */
export async function openSample({ extension }: Services, into?: unknown): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const isGiven = into instanceof vscode.Uri;
  const home = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [parent] = isGiven
    ? [into]
    : ((await vscode.window.showOpenDialog({
        canSelectFiles: false,
        canSelectFolders: true,
        title: t('Where should the sample project go?'),
        openLabel: t('Create Here'),
        ...(home !== undefined && { defaultUri: vscode.Uri.joinPath(home, '..') }),
      })) ?? []);
  if (parent === undefined) return undefined;
  const folder = await freeFolder(parent);
  for (const part of parts) {
    const from = vscode.Uri.joinPath(extension.extensionUri, part);
    await vscode.workspace.fs.copy(from, vscode.Uri.joinPath(folder, part), { overwrite: false });
  }
  if (!isGiven) {
    const forceNewWindow = vscode.workspace.workspaceFolders !== undefined;
    await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow });
  }
  return folder;
}

/** `agent-stack-sample`, or the first of `agent-stack-sample-2`, ... that is not there yet. */
async function freeFolder(parent: vscode.Uri): Promise<vscode.Uri> {
  const taken = new Set((await vscode.workspace.fs.readDirectory(parent)).map(([name]) => name.toLowerCase()));
  const name = 'agent-stack-sample';
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
  const folder = vscode.Uri.joinPath(parent, free);
  await vscode.workspace.fs.createDirectory(folder);
  return folder;
}
