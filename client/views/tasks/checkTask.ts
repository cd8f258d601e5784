import { relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { ProjectFolder } from '../../projects.js';
import type { Services } from '../../services.js';

/** `tasks.json`: `{ "type": "agentstack", "command": "check", "project": "services/triage", "maxWarnings": 0 }`. */
export interface CheckDefinition extends vscode.TaskDefinition {
  readonly type: 'agentstack';
  readonly command: 'check';
  /** Project folder from the workspace folder; the workspace folder itself when it is left out. */
  readonly project?: string;
  readonly maxWarnings?: number;
}

/** One task for each project of the workspace. */
export async function checkTasks(services: Services): Promise<vscode.Task[]> {
  const projects = await services.projects.list();
  return projects.map((project) => checkTaskOf(services, project));
}

export function checkTaskOf({ extension }: Services, project: ProjectFolder): vscode.Task {
  const folder = vscode.workspace.getWorkspaceFolder(project.uri);
  const path = folder === undefined ? project.root : relative(folder.uri.fsPath, project.root).split(sep).join('/');
  const definition: CheckDefinition = { type: 'agentstack', command: 'check', ...(path !== '' && { project: path }) };
  return toTask(extension, definition, folder);
}

/** A task of tasks.json with what runs it; undefined for one that is not ours. */
export function completeTask({ extension }: Services, { definition, scope }: vscode.Task): vscode.Task | undefined {
  if (!isCheck(definition)) return undefined;
  const folder = typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
  return toTask(extension, definition, folder, scope);
}

/**
 * Runs the command line that this extension brings along, with the Node of VS Code, in the workspace folder: so the paths it prints are links
 * in the terminal.
 */
function toTask(
  { extensionUri }: vscode.ExtensionContext,
  definition: CheckDefinition,
  folder: vscode.WorkspaceFolder | undefined,
  scope: vscode.WorkspaceFolder | vscode.TaskScope | undefined = folder,
): vscode.Task {
  const { project, maxWarnings } = definition;
  const args = [vscode.Uri.joinPath(extensionUri, 'dist', 'cli.cjs').fsPath, 'check'];
  if (project !== undefined) args.push('--project', project);
  if (maxWarnings !== undefined) args.push('--max-warnings', String(maxWarnings));
  const execution = new vscode.ProcessExecution(process.execPath, args, {
    // Tasks exist in trusted workspaces only.
    env: { ELECTRON_RUN_AS_NODE: '1', AGENT_STACK_TRUST: '1' },
    ...(folder !== undefined && { cwd: folder.uri.fsPath }),
  });
  const name = project === undefined ? 'check' : `check ${project}`;
  // No problem matcher: the language server shows the same findings of the same files already, and more exactly.
  const task = new vscode.Task(definition, scope ?? vscode.TaskScope.Workspace, name, 'agentstack', execution, []);
  task.group = vscode.TaskGroup.Build;
  task.detail = vscode.l10n.t('Find what is wrong in the agent files');
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true, focus: false };
  return task;
}

function isCheck(definition: vscode.TaskDefinition): definition is CheckDefinition {
  const { type, command, project, maxWarnings } = definition;
  const isNumber = maxWarnings === undefined || (typeof maxWarnings === 'number' && Number.isInteger(maxWarnings) && maxWarnings >= 0);
  return type === 'agentstack' && command === 'check' && isNumber && (project === undefined || typeof project === 'string');
}
