import * as vscode from 'vscode';
import type { Services } from '../../services.js';
import { agentFile } from './agentArgument.js';
import type { WithPreviews } from './previewLoader.js';
import { promptUri } from './promptUri.js';

/** Shows the prompt of an agent beside its file, and from then on of the one that is active. */
export async function previewPrompt(services: Services & WithPreviews, argument?: unknown): Promise<void> {
  const uri = await agentFile(services, argument);
  if (uri === undefined) return;
  const isShown = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());
  // The preview goes beside its file: from the tree or the palette that may have to be opened first.
  if (!isShown) await vscode.window.showTextDocument(uri, { preserveFocus: false });
  (await services.previews.load()).show(uri);
}

/** Opens the prompt of an agent as a read-only text document that stays up to date. */
export async function previewAsText(services: Services & WithPreviews, argument?: unknown): Promise<void> {
  const uri = await agentFile(services, argument);
  if (uri === undefined) return;
  const document = await vscode.workspace.openTextDocument(promptUri(uri));
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
}
