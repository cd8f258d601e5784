import * as vscode from 'vscode';
import type { Client } from '../../client.js';

/** "Run" and "Preview" above the name of an agent. */
export function runLens({ projects }: Client): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const { uri } = document;
      if (!/[\\/]agents[\\/][^\\/]+[\\/][^\\/]+\.json$/.test(uri.fsPath) || projects.of(uri) === undefined) return [];
      if (!vscode.workspace.getConfiguration('agentStack', uri).get('codeLens.enabled', true)) return [];
      const { locate } = await import('../../../core/config/locate.js');
      const key = locate(document.getText(), ['/agent_name']).get('/agent_name')?.key;
      const at = document.positionAt(key?.start ?? 0);
      const range = new vscode.Range(at, at);
      const preview = { title: `$(open-preview) ${vscode.l10n.t('Preview')}`, command: 'agentStack.previewPrompt', arguments: [uri] };
      const run = { title: `$(play) ${vscode.l10n.t('Run')}`, command: 'agentStack.runAgent', arguments: [uri] };
      // Where nothing may run, no lens says that it does.
      const commands = vscode.workspace.isTrusted ? [run, preview] : [preview];
      return commands.map((command) => new vscode.CodeLens(range, command));
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.languages.registerCodeLensProvider({ language: 'agent-config', scheme: 'file' }, provider),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('agentStack.codeLens') && changed.fire()),
  );
}
