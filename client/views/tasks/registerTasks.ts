import * as vscode from 'vscode';
import type { Services } from '../../services.js';

/** `agent-stack check` among the tasks. A task starts a process, so an untrusted workspace has no task. */
export function registerTasks(services: Services): vscode.Disposable {
  const load = () => import('./checkTask.js');
  return vscode.tasks.registerTaskProvider('agentstack', {
    provideTasks: async () => (vscode.workspace.isTrusted ? (await load()).checkTasks(services) : []),
    resolveTask: async (task) => (vscode.workspace.isTrusted ? (await load()).completeTask(services, task) : undefined),
  });
}
