import * as vscode from 'vscode';
import type { Client } from '../client.js';

/** Shows in a panel again what its page kept. @returns whether that is still there; if not, the panel is closed */
export type RestorePanel = (client: Client, panel: vscode.WebviewPanel, state: unknown) => Promise<boolean>;

/** Brings panels back when VS Code starts again. */
export function restorePanels(client: Client): vscode.Disposable {
  const restore = (type: string, load: () => Promise<RestorePanel>) =>
    vscode.window.registerWebviewPanelSerializer(type, {
      async deserializeWebviewPanel(panel, state: unknown) {
        const restorePanel = await load();
        if (!(await restorePanel(client, panel, state))) panel.dispose();
      },
    });
  return vscode.Disposable.from(
    restore('agentStack.run', async () => (await import('../views/runs/openRun.js')).restoreRun),
    restore('agentStack.chat', async () => (await import('../views/chat/openChat.js')).restoreChat),
    restore('agentStack.evals', async () => (await import('./evals/showEvals.js')).restoreEvals),
    restore('agentStack.compare', async () => (await import('./compare/showComparison.js')).restoreComparison),
  );
}
