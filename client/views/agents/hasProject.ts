import * as vscode from 'vscode';
import { isProject } from '../../../core/node/findProject.js';
import { projectFiles } from '../../projects.js';
import type { Services } from '../../services.js';

/**
 * Keeps the context key `agentStack.hasProject`, by which menus show what only a project can do. Two checks of each folder of the workspace tell
 * nearly always; only when they find nothing is the workspace searched, by VS Code and after activation.
 */
export function hasProject(services: Services): vscode.Disposable {
  let isSet: boolean | undefined;
  const setContext = (has: boolean) => {
    if (has === isSet) return;
    isSet = has;
    void vscode.commands.executeCommand('setContext', 'agentStack.hasProject', has);
  };
  const look = async () => {
    const roots = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
    if (roots.some(isProject)) return setContext(true);
    const files = await vscode.workspace.findFiles(`**/{${['agentstack.json', ...projectFiles].join(',')}}`, '**/{node_modules,.*}/**', 1);
    setContext(files.length > 0);
  };
  const later = setImmediate(() => {
    void look();
    // Until there is a project, the first file of one is news.
    changes = services.projects.onDidChange(() => setContext(true));
  });
  let changes: vscode.Disposable | undefined;
  const end = () => {
    clearImmediate(later);
    changes?.dispose();
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(() => void look()),
    new vscode.Disposable(end),
  );
}
