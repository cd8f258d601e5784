import * as vscode from 'vscode';
import { ProjectFolder } from './projects.js';
import { Refusal } from './refusal.js';
import type { Services } from './services.js';

/** The project a command means: that of the node it was called on, else of the active editor, else the only one, else the user's choice. */
export async function pickProject(services: Services, target?: unknown): Promise<ProjectFolder | undefined> {
  if (typeof target === 'object' && target !== null && 'folder' in target && target.folder instanceof ProjectFolder) return target.folder;
  const active = vscode.window.activeTextEditor?.document.uri;
  const activeProject = active && services.projects.of(active);
  if (activeProject !== undefined) return activeProject;
  const projects = await services.projects.list();
  if (projects.length < 2) return projects[0];
  const chosen = await vscode.window.showQuickPick(
    projects.map((folder) => ({ label: folder.name, description: vscode.workspace.asRelativePath(folder.uri), folder })),
    { placeHolder: vscode.l10n.t('Which project?') },
  );
  if (chosen === undefined) throw new vscode.CancellationError();
  return chosen.folder;
}

/** The same for a command that needs a project. @throws Refusal without one */
export async function requireProject(services: Services, target?: unknown): Promise<ProjectFolder> {
  const folder = await pickProject(services, target);
  if (folder === undefined) throw noAgent();
  return folder;
}

/** Refuses a command that needs an agent. */
export function noAgent(): Refusal {
  return new Refusal(vscode.l10n.t('There is no agent in this workspace yet.'), [
    { title: vscode.l10n.t('Create Agent'), run: () => vscode.commands.executeCommand('agentStack.createAgent') },
    { title: vscode.l10n.t('Open Sample'), run: () => vscode.commands.executeCommand('agentStack.openSample') },
  ]);
}

/** The project to create a file in; without one, the folder in which the first one starts. */
export async function projectToFill(services: Services, target?: unknown): Promise<ProjectFolder> {
  return (await pickProject(services, target)) ?? folderToFill();
}

/** The folder of the workspace in which a project can start: the only one, else the user's choice. @throws Refusal without one */
export async function folderToFill(): Promise<ProjectFolder> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const [first] = folders;
  if (first === undefined) {
    throw new Refusal(vscode.l10n.t('Open a folder first: agents are files in it.'), [
      { title: vscode.l10n.t('Open Folder'), run: () => vscode.commands.executeCommand('vscode.openFolder') },
      { title: vscode.l10n.t('Open Sample'), run: () => vscode.commands.executeCommand('agentStack.openSample') },
    ]);
  }
  const chosen = folders.length === 1 ? first : await vscode.window.showWorkspaceFolderPick();
  if (chosen === undefined) throw new vscode.CancellationError();
  return new ProjectFolder(chosen.uri.fsPath);
}
