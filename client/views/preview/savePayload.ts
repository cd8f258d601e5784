import * as vscode from 'vscode';
import { namePattern } from '../../../core/kinds.js';
import type { ProjectFolder } from '../../projects.js';
import type { PreviewState } from './agentPreview.js';
import { payloadPath } from './inputStore.js';

/**
 * Asks for a name and writes the input to a payload file of the agent. A name that is taken is refused while it is typed, and the file is
 * only ever created, never replaced.
 *
 * @returns the name; undefined when the user left
 */
export async function savePayload(folder: ProjectFolder, { identity, index, cases, typed }: PreviewState): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save Input of {0}', identity.name),
    prompt: vscode.l10n.t('Name of the payload'),
    validateInput: (value) => {
      if (!namePattern.test(value)) return vscode.l10n.t('Letters, digits, ".", "_" and "-", at most 64.');
      // Some disks take names that differ in letter case for one file.
      const isTaken = cases.some((other) => other.toLowerCase() === value.toLowerCase());
      return isTaken ? vscode.l10n.t('There is a payload {0} already. Choose another name.', value) : undefined;
    },
  });
  if (name === undefined) return undefined;
  const uri = folder.uriOf(payloadPath(index, identity.name, name));
  const edit = new vscode.WorkspaceEdit();
  const contents = new TextEncoder().encode(`${JSON.stringify({ input: typed.payload }, null, 2)}\n`);
  edit.createFile(uri, { contents, overwrite: false, ignoreIfExists: false });
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage(vscode.l10n.t('{0} could not be created: it may be there already.', uri.fsPath));
    return undefined;
  }
  return name;
}
