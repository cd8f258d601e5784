import * as vscode from 'vscode';
import { done } from '../../done.js';
import type { Services } from '../../services.js';
import { teamPayload } from '../graph/graphFile.js';
import type { WithGraphs } from '../graph/graphLoader.js';
import { showGraph } from '../graph/showGraph.js';
import { promptUri, uriIn } from '../promptUri.js';
import { agentFile, payloadFile } from './agentArgument.js';
import type { WithPreviews } from './previewLoader.js';

/**
 * Shows an agent's prompt beside its file, and follows the active editor from then on. Called on a payload, it shows the prompt with that input. An
 * orchestration has no prompt, so its payload leads to its graph.
 */
export async function previewPrompt(services: Services & WithPreviews & WithGraphs, argument?: unknown): Promise<void> {
  const target = uriIn(argument) ?? vscode.window.activeTextEditor?.document.uri;
  const team = target && (await teamPayload(services, target));
  if (team !== undefined) return showGraph(services, team.uri);
  const uri = await agentFile(services, argument);
  if (uri === undefined) return;
  const set = await services.previews.load();
  const payload = target && (await payloadFile(services, target));
  if (payload !== undefined) {
    const { project, path, name, agent_name } = payload;
    set.previews.inputs.set(`${project.folder.root} ${agent_name}`, { values: (await project.payload(path)) ?? new Map(), case: name });
  }
  const beside = payload === undefined ? uri : (target ?? uri);
  const isShown = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === beside.toString());
  // The preview goes beside its file: from the tree or the palette that may have to be opened first.
  if (!isShown) await vscode.window.showTextDocument(beside, { preserveFocus: false });
  set.show(uri);
  done('preview');
}

/** Opens the prompt of an agent as a read-only text document that stays up to date. */
export async function previewAsText(services: Services & WithPreviews, argument?: unknown): Promise<void> {
  const uri = await agentFile(services, argument);
  if (uri === undefined) return;
  const document = await vscode.workspace.openTextDocument(promptUri(uri));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
}
