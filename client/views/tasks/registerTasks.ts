import * as vscode from 'vscode';
import type { Client } from '../../client.js';

/** `agentstack check` among the tasks. A task starts a process, so there is none where nobody trusts the workspace. */
export function registerTasks(client: Client): vscode.Disposable {
  const load = () => import('./checkTask.js');
  return vscode.tasks.registerTaskProvider('agentstack', {
    provideTasks: async () => (vscode.workspace.isTrusted ? (await load()).checkTasks(client) : []),
    resolveTask: async (task) => (vscode.workspace.isTrusted ? (await load()).completeTask(client, task) : undefined),
  });
}
