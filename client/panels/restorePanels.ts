import * as vscode from 'vscode';
import type { Client } from '../client.js';

/** Shows in a panel again what its page stored. @returns whether that still exists; if not, the panel is closed */
export type RestorePanel = (client: Client, panel: vscode.WebviewPanel, state: unknown) => Promise<boolean>;

/** Brings panels back when VS Code starts again. */
export function restorePanels(client: Client): vscode.Disposable {
  const restore = (type: string, restorePanel: RestorePanel) =>
    vscode.window.registerWebviewPanelSerializer(type, {
      async deserializeWebviewPanel(panel, state: unknown) {
        if (!(await restorePanel(client, panel, state))) panel.dispose();
      },
    });
  return vscode.Disposable.from(
    restore('agentStack.run', async (...kept) => (await import('../views/runs/openRun.js')).restoreRun(...kept)),
    restore('agentStack.chat', async (...kept) => (await import('../views/chat/openChat.js')).restoreChat(...kept)),
    restore('agentStack.preview', async ({ previews }, panel, state) => (await previews.load()).restore(panel, state)),
    restore('agentStack.graph', async ({ graphs }, panel, state) => (await graphs.load()).restore(panel, state)),
    restore('agentStack.evals', async (...kept) => (await import('./evals/showEvals.js')).restoreEvals(...kept)),
    restore('agentStack.behaviour', async (...kept) => (await import('../views/behaviour/compareBehaviour.js')).restoreBehaviour(...kept)),
    restore('agentStack.migration', async (...kept) => (await import('../views/migration/migrateModel.js')).restoreMigration(...kept)),
    restore('agentStack.compare', async (...kept) => (await import('./compare/showComparison.js')).restoreComparison(...kept)),
  );
}
