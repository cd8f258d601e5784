import * as vscode from 'vscode';
import type { Services } from '../services.js';
import { openedSample } from '../views/sampleWelcome.js';

/** The texts of the sample project by path, in the extension's own folder. */
const sampleFile = 'dist/sample.json';

/**
 * Writes the sample project into a new folder below the one that is chosen, and opens it, where `sampleWelcome` continues. Nothing there is
 * overwritten.
 *
 * @param into where to put it without asking and without opening it
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
  const sample = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension.extensionUri, sampleFile));
  const texts: Readonly<Record<string, string>> = JSON.parse(new TextDecoder().decode(sample));
  for (const [path, text] of Object.entries(texts))
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, path), new TextEncoder().encode(text));
  if (!isGiven) {
    await extension.globalState.update(openedSample, folder.toString());
    const forceNewWindow = vscode.workspace.workspaceFolders !== undefined;
    await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow });
  }
  return folder;
}

/** `agent-stack-sample`, or the first of `agent-stack-sample-2`, ... that does not exist yet. */
async function freeFolder(parent: vscode.Uri): Promise<vscode.Uri> {
  const takenNames = new Set((await vscode.workspace.fs.readDirectory(parent)).map(([name]) => name.toLowerCase()));
  const name = 'agent-stack-sample';
  let free = name;
  for (let number = 2; takenNames.has(free); number++) free = `${name}-${number}`;
  const folder = vscode.Uri.joinPath(parent, free);
  await vscode.workspace.fs.createDirectory(folder);
  return folder;
}
