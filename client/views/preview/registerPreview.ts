import * as vscode from 'vscode';
import type { Client } from '../../client.js';
import { promptScheme } from './promptUri.js';

/** Panels come back after a reload, and prompts can be opened as documents: both load the preview only then. */
export function registerPreview(client: Client): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(promptScheme, {
      onDidChange: client.previews.onDidChangeDocument,
      provideTextDocumentContent: async (uri) => (await client.previews.load(client)).documents.provide(uri),
    }),
    vscode.window.registerWebviewPanelSerializer('agentStack.preview', {
      async deserializeWebviewPanel(panel, state: unknown) {
        const [previews, { isPanelState }] = await Promise.all([client.previews.load(client), import('./messages.js')]);
        previews.restore(panel, isPanelState(state) ? state : undefined);
      },
    }),
  );
}
