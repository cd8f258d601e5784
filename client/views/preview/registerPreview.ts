import * as vscode from 'vscode';
import type { Services } from '../../services.js';
import type { WithPreviews } from './previewLoader.js';
import { promptScheme } from './promptUri.js';

/** Panels come back after a reload, and prompts can be opened as documents: both load the preview only then. */
export function registerPreview(services: Services & WithPreviews): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(promptScheme, {
      onDidChange: services.previews.onDidChangeDocument,
      provideTextDocumentContent: async (uri) => (await services.previews.load()).documents.provide(uri),
    }),
    vscode.window.registerWebviewPanelSerializer('agentStack.preview', {
      async deserializeWebviewPanel(panel, state: unknown) {
        const [previews, { isPanelState }] = await Promise.all([services.previews.load(), import('./messages.js')]);
        previews.restore(panel, isPanelState(state) ? state : undefined);
      },
    }),
  );
}
