import * as vscode from 'vscode';
import type { Services } from '../../services.js';
import type { WithRuns } from './runs.js';

/** Brings run panels back when VS Code starts again: with what is in the history. */
export function restorePanels(services: Services & WithRuns): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer('agentStack.run', {
    async deserializeWebviewPanel(panel, state: unknown) {
      const reference = await readState(services, state);
      if (reference === undefined) {
        panel.dispose();
        return;
      }
      const [{ RunPanel }, { readStoredRun }] = await Promise.all([import('./runPanel.js'), import('../runs/storedRun.js')]);
      new RunPanel(services, panel, await readStoredRun(reference, services.runs.isPinned(reference)));
    },
  });
}

/** What the page kept. Only projects of this workspace are read. */
async function readState({ projects }: Services, state: unknown) {
  if (typeof state !== 'object' || state === null || !('run_id' in state) || !('root' in state)) return undefined;
  const { run_id, root } = state;
  if (typeof run_id !== 'string') return undefined;
  const folder = (await projects.list()).find((one) => one.root === root);
  return folder && { folder, run_id };
}
