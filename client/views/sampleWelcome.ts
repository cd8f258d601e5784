import * as vscode from 'vscode';
import { done } from '../done.js';
import type { Services } from '../services.js';

/** Where the path of a sample project is stored until its window has opened. */
export const openedSample = 'agentStack.openedSample';

const walkthrough = 'agent-stack.agent-stack#start';

/** When the window of a new sample project opens for the first time, shows an agent with its prompt beside it and continues the walkthrough. */
export function sampleWelcome({ extension, log }: Services): vscode.Disposable {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder !== undefined && extension.globalState.get(openedSample) === folder.toString()) {
    void extension.globalState.update(openedSample, undefined);
    welcome(folder).catch((error: unknown) => log.error('The sample project could not be shown', String(error)));
  }
  return new vscode.Disposable(() => undefined);
}

async function welcome(folder: vscode.Uri): Promise<void> {
  const { t } = vscode.l10n;
  const openWalkthrough = () =>
    vscode.commands.executeCommand('workbench.action.openWalkthrough', { category: walkthrough, step: 'findings' }, false);
  await vscode.commands.executeCommand('agentStack.agents.focus');
  // In a tab that the agent covers, one click away.
  await openWalkthrough();
  // VS Code notices what is done once it knows the walkthrough.
  done('sample');
  const agent = vscode.Uri.joinPath(folder, 'config/agents/A2/v1.json');
  await vscode.window.showTextDocument(agent, { preview: false });
  await vscode.commands.executeCommand('agentStack.previewPrompt', agent);
  const button = t('Continue with the Walkthrough');
  const message = t('A2 is one of the agents of the sample project. Beside it is the prompt that it sends.');
  if ((await vscode.window.showInformationMessage(message, button)) === button) await openWalkthrough();
}
