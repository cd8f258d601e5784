import * as vscode from 'vscode';
import type { Services } from '../services.js';
import { OurFiles } from './ourFiles.js';

/** Removes the folder of an agent, a prompt or payloads when its last file has moved, by F2 or in the Explorer. */
export function removeEmptyFolders({ projects, log }: Services): vscode.Disposable {
  const ours = new OurFiles(projects);
  return vscode.workspace.onDidRenameFiles(async ({ files }) => {
    for (const { oldUri } of files) {
      try {
        const kind = (await ours.find(oldUri))?.identity.kind;
        if (kind === 'agent' || kind === 'prompt' || kind === 'payload') await removeIfEmpty(vscode.Uri.joinPath(oldUri, '..'));
      } catch (error) {
        log.debug('The folder of a file that has moved is not removed', oldUri.path, String(error));
      }
    }
  });
}

async function removeIfEmpty(folder: vscode.Uri): Promise<void> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  if (entries.length === 0) await vscode.workspace.fs.delete(folder, { recursive: false });
}
