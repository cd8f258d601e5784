import * as vscode from 'vscode';
import { listEvalIds } from '../../../core/eval/runner/evalStore.js';
import { isObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import type { Client } from '../../client.js';
import { pickProject } from '../../pickProject.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import { besideActive } from '../columns.js';
import type { RestorePanel } from '../restorePanels.js';
import { EvalsPanel } from './evalsPanel.js';

/** Shows an eval of a project, the last one by default; the page has the others. A program gives `{root, eval_id}`. */
export async function showEvals(client: Client, argument?: unknown): Promise<void> {
  const folder = await folderOf(client, argument);
  if (folder === undefined) return;
  const ids = await listEvalIds(createNodeFiles(folder.root));
  const evalId = isObject(argument) && typeof argument.eval_id === 'string' ? argument.eval_id : ids[0];
  if (evalId === undefined || !ids.includes(evalId)) {
    throw new Refusal(vscode.l10n.t('{0} has no eval yet. Run cases in the Test Explorer, or with agent-stack eval.', folder.name), [
      { title: vscode.l10n.t('Test Explorer'), run: () => vscode.commands.executeCommand('workbench.view.testing.focus') },
    ]);
  }
  const { panel } = client.tests;
  const isNewest = evalId === ids[0];
  if (panel !== undefined) return panel.show(folder, evalId, isNewest);
  const created = vscode.window.createWebviewPanel('agentStack.evals', '', besideActive(), { enableFindWidget: true });
  new EvalsPanel(client, created, folder, evalId, isNewest);
}

/** Shows an eval that still exists. Only projects of this workspace are read. */
export const restoreEvals: RestorePanel = async (client, panel, state) => {
  if (!isObject(state) || typeof state.eval_id !== 'string') return false;
  const folder = await client.projects.find(state.root);
  const ids = folder === undefined ? [] : await listEvalIds(createNodeFiles(folder.root));
  if (folder === undefined || !ids.includes(state.eval_id)) return false;
  new EvalsPanel(client, panel, folder, state.eval_id, state.eval_id === ids[0]);
  return true;
};

async function folderOf(client: Client, argument: unknown): Promise<ProjectFolder | undefined> {
  if (!isObject(argument) || typeof argument.root !== 'string') return pickProject(client, argument);
  return client.projects.find(argument.root);
}
