import * as vscode from 'vscode';
import { pathOf } from '../../../core/config/paths.js';
import { readProjectSettings } from '../../../core/config/readProjectSettings.js';
import { done } from '../../done.js';
import { createEditorFiles } from '../../ports/editorFiles.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { uriIn } from '../promptUri.js';
import { type GraphFile, orchestrationFile } from './graphFile.js';
import type { WithGraphs } from './graphLoader.js';

/** Shows the graph of an orchestration beside its file, and from then on of the one that is active. */
export async function showGraph(services: Services & WithGraphs, argument?: unknown): Promise<void> {
  const file = await chooseOrchestration(services, argument);
  if (file === undefined) return;
  const isShown = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === file.uri.toString());
  // The graph goes beside its file, which may have to be opened first when called from the tree or the palette.
  if (!isShown) await vscode.window.showTextDocument(file.uri, { preserveFocus: false });
  (await services.graphs.load()).show(file);
  done('graph');
}

/**
 * The orchestration a command is about: its argument, else the active editor, else the only one there is, else one the user picks.
 *
 * @returns undefined when the user picked none
 * @throws Refusal for a file that is not an orchestration, and if the workspace has no orchestration
 */
export async function chooseOrchestration(services: Services & WithGraphs, argument: unknown): Promise<GraphFile | undefined> {
  const argumentUri = uriIn(argument);
  if (argumentUri !== undefined) {
    const file = await orchestrationFile(services, argumentUri);
    if (file !== undefined) return file;
    throw new Refusal(vscode.l10n.t('{0} is not an orchestration.', vscode.workspace.asRelativePath(argumentUri)));
  }
  const active = vscode.window.activeTextEditor?.document.uri;
  const activeFile = active && (await orchestrationFile(services, active));
  if (activeFile !== undefined) return activeFile;
  const files = await listOrchestrations(services);
  const [only] = files;
  if (only === undefined)
    throw new Refusal(vscode.l10n.t('There is no orchestration in this workspace.'), [
      { title: vscode.l10n.t('Create Orchestration'), run: () => vscode.commands.executeCommand('agentStack.createOrchestration') },
    ]);
  if (files.length === 1) return only;
  const items = files.map((file) => ({ label: file.name, description: vscode.workspace.asRelativePath(file.uri), file }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Orchestration'), matchOnDescription: true });
  return picked?.file;
}

async function listOrchestrations(services: Services & WithGraphs): Promise<readonly GraphFile[]> {
  const orchestrations: GraphFile[] = [];
  for (const folder of await services.projects.list()) {
    const places = pathOf('orchestration', '*', await readProjectSettings(createEditorFiles(folder)));
    const uris = await vscode.workspace.findFiles(new vscode.RelativePattern(folder.uri, places));
    for (const uri of uris) {
      const file = await orchestrationFile(services, uri);
      if (file !== undefined) orchestrations.push(file);
    }
  }
  return orchestrations.sort((left, right) => (left.path < right.path ? -1 : 1));
}
