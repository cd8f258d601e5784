import * as vscode from 'vscode';

/** Steps of the walkthrough that are done when something has succeeded, not when it was requested. */
export type Step = 'sample' | 'fix' | 'preview' | 'run' | 'graph' | 'tools' | 'orchestration' | 'payload' | 'key' | 'create';

/** Marks a step of the walkthrough. VS Code keeps the mark over a restart. */
export function done(step: Step): void {
  void vscode.commands.executeCommand('setContext', `agentStack.done.${step}`, true);
}
