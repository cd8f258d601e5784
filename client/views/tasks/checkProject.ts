import * as vscode from 'vscode';
import type { ProjectFolder } from '../../projects.js';
import { Refusal } from '../../refusal.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { checkTaskOf } from './checkTask.js';

/** Runs the check task of a project: that of the open file, else the only one, else the user's choice. */
export async function checkProject(services: Services): Promise<void> {
  requireTrust();
  const project = await chooseProject(services);
  if (project !== undefined) await vscode.tasks.executeTask(checkTaskOf(services, project));
}

async function chooseProject({ projects }: Services): Promise<ProjectFolder | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const current = active && projects.of(active);
  if (current !== undefined) return current;
  const all = await projects.list();
  if (all.length === 0) {
    const create = { title: vscode.l10n.t('Create Agent'), run: () => vscode.commands.executeCommand('agentStack.createAgent') };
    throw new Refusal(vscode.l10n.t('There is no agent in this workspace to check.'), [create]);
  }
  if (all.length === 1) return all[0];
  const items = all.map((project) => ({ label: project.name, description: vscode.workspace.asRelativePath(project.uri), project }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which project?') }))?.project;
}
