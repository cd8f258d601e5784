import * as vscode from 'vscode';
import type { WithServer } from '../../language/languageServer.js';
import type { Services } from '../../services.js';

/** "Run", "Preview" and "Effective" above the name of an agent, "Run", "Graph" and "Effective" above that of an orchestration, "List Tools" above servers. */
export function runLens({ projects, server }: Services & WithServer): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      const { uri } = document;
      const place = placeOf(uri);
      if (place === undefined || projects.of(uri) === undefined) return [];
      if (!vscode.workspace.getConfiguration('agentStack', uri).get('codeLens.enabled', true)) return [];
      const { locate } = await import('../../../core/jsonText/locate.js');
      const found = locate(document.getText(), ['/agent_name', '/client_ids', '/name', '/servers']);
      const lenses = (pointer: string, commands: readonly vscode.Command[]) => {
        const at = document.positionAt(found.get(pointer)?.key?.start ?? 0);
        return commands.map((command) => new vscode.CodeLens(new vscode.Range(at, at), command));
      };
      const list = { title: `$(tools) ${vscode.l10n.t('List Tools')}`, command: 'agentStack.listTools', arguments: [uri] };
      const preview = { title: `$(open-preview) ${vscode.l10n.t('Preview')}`, command: 'agentStack.previewPrompt', arguments: [uri] };
      const run = { title: `$(play) ${vscode.l10n.t('Run')}`, command: 'agentStack.runAgent', arguments: [uri] };
      const effective = { title: `$(layers) ${vscode.l10n.t('Effective')}`, command: 'agentStack.showEffectiveConfig', arguments: [uri] };
      // Where nothing may run, no lens says that it does.
      const { isTrusted } = vscode.workspace;
      if (place === 'orchestration') {
        const start = { title: `$(run-all) ${vscode.l10n.t('Run')}`, command: 'agentStack.runOrchestration', arguments: [uri] };
        const graph = { title: `$(type-hierarchy) ${vscode.l10n.t('Graph')}`, command: 'agentStack.showGraph', arguments: [uri] };
        return lenses('/name', isTrusted ? [start, graph, effective] : [graph, effective]);
      }
      if (place === 'servers') return isTrusted && found.get('/servers')?.key ? lenses('/servers', [list]) : [];
      const own = lenses('/agent_name', isTrusted ? [run, preview, effective] : [preview, effective]);
      return isTrusted && found.get('/client_ids')?.key ? [...own, ...lenses('/client_ids', [list])] : own;
    },
  };
  const register = () => vscode.languages.registerCodeLensProvider({ language: 'agent-config', scheme: 'file' }, provider);
  let registered = register();
  return vscode.Disposable.from(
    changed,
    new vscode.Disposable(() => registered.dispose()),
    // Of lenses on one line, those of the provider that came last are first: what one can do, then what the server counts.
    server.onReady(() => {
      registered.dispose();
      registered = register();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('agentStack.codeLens') && changed.fire()),
  );
}

function placeOf({ fsPath }: vscode.Uri): 'agent' | 'orchestration' | 'servers' | undefined {
  if (/[\\/]orchestrations[\\/][^\\/]+\.json$/.test(fsPath)) return 'orchestration';
  if (/[\\/]mcp\.json$/.test(fsPath)) return 'servers';
  return /[\\/]agents[\\/][^\\/]+[\\/][^\\/]+\.json$/.test(fsPath) ? 'agent' : undefined;
}
