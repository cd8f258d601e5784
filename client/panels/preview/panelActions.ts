import * as vscode from 'vscode';
import { showBeside } from '../columns.js';
import type { AgentPreview, PreviewState } from './agentPreview.js';
import { payloadPath } from './inputStore.js';
import type { FromPage } from './messages.js';
import type { PanelInput } from './panelInput.js';
import { savePayload } from './savePayload.js';

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
      // What is on the screen is what runs; an input that cannot run is asked for.
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
