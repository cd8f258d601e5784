import * as vscode from 'vscode';
import { ProjectFolder } from '../projects.js';
import type { Services } from '../services.js';

/** The project a command means: that of the node it was called on, else of the active editor, else the only one, else the one that is chosen. */
export async function pickProject(services: Services, target?: unknown): Promise<ProjectFolder | undefined> {
  if (typeof target === 'object' && target !== null && 'folder' in target && target.folder instanceof ProjectFolder) return target.folder;
  const active = vscode.window.activeTextEditor?.document.uri;
  const own = active && services.projects.of(active);
  if (own !== undefined) return own;
  const projects = await services.projects.list();
  if (projects.length < 2) return projects[0];
  const chosen = await vscode.window.showQuickPick(
    projects.map((folder) => ({ label: folder.name, description: vscode.workspace.asRelativePath(folder.uri), folder })),
    { placeHolder: vscode.l10n.t('Which project?') },
  );
  if (chosen === undefined) throw new vscode.CancellationError();
  return chosen.folder;
}
