import * as vscode from 'vscode';
import { listEvalIds } from '../../../core/eval/runner/evalStore.js';
import { isObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import type { Client } from '../../client.js';
import { pickProject } from '../../pickProject.js';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import { besideActive } from '../besideActive.js';
import { EvalsPanel, evalsPanelType } from './evalsPanel.js';

/** Shows an eval of a project, the last one by default; the page has the others. A program gives `{root, eval_id}`. */
export async function showEvals(client: Client, argument?: unknown): Promise<void> {
  const folder = await folderOf(client, argument);
  if (folder === undefined) return;
  const ids = await listEvalIds(createNodeFiles(folder.root));
  const wanted = isObject(argument) && typeof argument.eval_id === 'string' ? argument.eval_id : ids[0];
  if (wanted === undefined || !ids.includes(wanted)) {
    throw new Refusal(vscode.l10n.t('{0} has no eval yet. Run cases in the Test Explorer, or with agent-stack eval.', folder.name), [
      { title: vscode.l10n.t('Test Explorer'), run: () => vscode.commands.executeCommand('workbench.view.testing.focus') },
    ]);
  }
  const { panel } = client.tests;
  const isNewest = wanted === ids[0];
  if (panel !== undefined) return panel.show(folder, wanted, isNewest);
  const made = vscode.window.createWebviewPanel(evalsPanelType, '', besideActive(), { enableFindWidget: true });
  new EvalsPanel(client, made, folder, wanted, isNewest);
}

async function folderOf(client: Client, argument: unknown): Promise<ProjectFolder | undefined> {
  if (!isObject(argument) || typeof argument.root !== 'string') return pickProject(client, argument);
  return (await client.projects.list()).find(({ root }) => root === argument.root);
}
