import * as vscode from 'vscode';
import { debounce } from '../../debounce.js';
import type { Services } from '../../services.js';
import type { StatusItems } from './statusItems.js';

/**
 * The language status of an agent file: project, environment, model and key. Computed for the active editor only, once changes
 * have settled.
 */
export function languageStatus(services: Services): vscode.Disposable {
  let loading: Promise<StatusItems> | undefined;
  const items = () => {
    loading ??= import('./statusItems.js').then(({ StatusItems }) => new StatusItems(services));
    return loading;
  };
  const changes = debounce<'look'>(async () => {
    const editor = vscode.window.activeTextEditor;
    // Nothing is loaded before a JSON file is opened.
    if (loading === undefined && !isCandidate(editor?.document)) return;
    await (await items()).show(editor?.document);
  });
  const look = () => changes.add('look');
  const later = setImmediate(() => {
    files = services.projects.onDidChange(look);
    look();
  });
  let files: vscode.Disposable | undefined;
  const end = () => {
    clearImmediate(later);
    files?.dispose();
    changes.dispose();
    void loading?.then((loaded) => loaded.dispose());
  };
  return vscode.Disposable.from(
    new vscode.Disposable(end),
    vscode.window.onDidChangeActiveTextEditor(look),
    // A document whose language is changed is opened again.
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document === vscode.window.activeTextEditor?.document) look();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('agentStack.environment')) look();
    }),
    services.extension.secrets.onDidChange(look),
  );
}

function isCandidate(document: vscode.TextDocument | undefined): boolean {
  return document?.languageId === 'agent-config' || document?.languageId === 'json';
}
