import * as vscode from 'vscode';
import { folderToFill } from '../../pickProject.js';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';
import { requireTrust } from '../../trust.js';
import { checkTaskOf } from './checkTask.js';

/**
 * Runs the check task of a project: that of the open file, else the only one, else the user's choice; without one, of a folder with files of other
 * tools.
 */
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
  if (all.length === 0) return folderToFill();
  if (all.length === 1) return all[0];
  const items = all.map((project) => ({ label: project.name, description: vscode.workspace.asRelativePath(project.uri), project }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Which project?') }))?.project;
}
