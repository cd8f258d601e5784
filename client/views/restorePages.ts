import * as vscode from 'vscode';
import type { Client } from '../client.js';

/** Shows in a panel again what its page kept. @returns whether that is still there; if not, the panel is closed */
export type RestorePage = (client: Client, panel: vscode.WebviewPanel, state: unknown) => Promise<boolean>;

/** Brings the panels of runs, conversations, comparisons and evals back when VS Code starts again. */
export function restorePages(client: Client): vscode.Disposable {
  const restore = (type: string, load: () => Promise<RestorePage>) =>
    vscode.window.registerWebviewPanelSerializer(type, {
      async deserializeWebviewPanel(panel, state: unknown) {
        const restorePage = await load();
        if (!(await restorePage(client, panel, state))) panel.dispose();
      },
    });
  return vscode.Disposable.from(
    restore('agentStack.run', async () => (await import('./run/restoreRun.js')).restoreRun),
    restore('agentStack.chat', async () => (await import('./chat/restoreChat.js')).restoreChat),
    restore('agentStack.evals', async () => (await import('./evals/restoreEvals.js')).restoreEvals),
    restore('agentStack.compare', async () => (await import('./compare/restoreComparison.js')).restoreComparison),
  );
}
