import * as vscode from 'vscode';
import { newCaseFile } from '../../../core/scaffold/newFile.js';
import { askName } from '../../askName.js';
import { done } from '../../done.js';
import type { ProjectFolder } from '../../projects.js';
import { showBeside } from '../columns.js';
import type { AgentPreview, PreviewState } from './agentPreview.js';
import { payloadPath } from './inputStore.js';
import type { FromPage } from './messages.js';
import type { PanelInput } from './panelInput.js';

interface Subject {
  readonly preview: AgentPreview;
  readonly state: PreviewState;
  readonly input: PanelInput;
  /** The column of the preview. */
  readonly column: vscode.ViewColumn | undefined;
}

/** What the buttons of the page do with the agent it shows. */
export async function doAction(
  action: Extract<FromPage, { type: 'do' }>['action'],
  { preview, state, input, column }: Subject,
): Promise<void> {
  const { folder } = preview.project;
  switch (action) {
    case 'run': {
      // The visible input is what runs; for an input that cannot run, the user is asked.
      const payload = state.issues().length === 0 ? state.typed.payload : undefined;
      await vscode.commands.executeCommand('agentStack.runAgent', {
        uri: preview.uri,
        payload,
        llm: state.llm,
        ...(payload !== undefined && state.input.case !== '' && { case: state.input.case }),
      });
      return;
    }
    case 'text':
      await vscode.commands.executeCommand('agentStack.previewAsText', preview.uri);
      return;
    case 'compare':
      await vscode.commands.executeCommand('agentStack.comparePrompts', preview.uri);
      return;
    case 'listTools':
      await vscode.commands.executeCommand('agentStack.listTools', preview.uri);
      return;
    case 'save': {
      const name = await savePayload(folder, state);
      if (name === undefined) return;
      preview.project.change(folder.uriOf(payloadPath(state.index, state.identity.name, name)));
      input.saved(name);
      return;
    }
    case 'openCase': {
      if (state.input.case === '') return;
      const uri = folder.uriOf(payloadPath(state.index, state.identity.name, state.input.case));
      await showBeside(await vscode.workspace.openTextDocument(uri), undefined, column);
    }
  }
}

/**
 * Asks for a name and writes the input to a payload file of the agent. A taken name is refused while it is typed, and the file is
 * only ever created, never replaced.
 *
 * @returns the name; undefined when the user left
 */
async function savePayload(folder: ProjectFolder, { identity, index, cases, typed }: PreviewState): Promise<string | undefined> {
  const { t } = vscode.l10n;
  // Some disks take names that differ in letter case for one file.
  const taken = (name: string) => {
    const isTaken = cases.some((other) => other.toLowerCase() === name.toLowerCase());
    return isTaken ? t('The payload {0} already exists. Choose another name.', name) : undefined;
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
