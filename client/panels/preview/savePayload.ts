import * as vscode from 'vscode';
import { newCaseFile } from '../../../core/scaffold/newFile.js';
import { askName } from '../../askName.js';
import { done } from '../../done.js';
import type { ProjectFolder } from '../../projects.js';
import type { PreviewState } from './agentPreview.js';

/**
 * Asks for a name and writes the input to a payload file of the agent. A name that is taken is refused while it is typed, and the file is
 * only ever created, never replaced.
 *
 * @returns the name; undefined when the user left
 */
export async function savePayload(folder: ProjectFolder, { identity, index, cases, typed }: PreviewState): Promise<string | undefined> {
  const { t } = vscode.l10n;
  // Some disks take names that differ in letter case for one file.
  const taken = (name: string) => {
    const isTaken = cases.some((other) => other.toLowerCase() === name.toLowerCase());
    return isTaken ? t('There is a payload {0} already. Choose another name.', name) : undefined;
  };
  const name = await askName({ title: t('Save Input of {0}', identity.name), prompt: t('Name of the payload'), taken });
  if (name === undefined) return undefined;
  const { path, text } = newCaseFile(index, identity.name, name, { input: typed.payload });
  const uri = folder.uriOf(path);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: new TextEncoder().encode(text), overwrite: false, ignoreIfExists: false });
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage(t('{0} could not be created: it may be there already.', uri.fsPath));
    return undefined;
  }
  done('payload');
  return name;
}
