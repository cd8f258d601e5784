import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { WithServer } from '../../language/languageServer.js';
import type { Services } from '../../services.js';

/**
 * Above the name of an agent "Run", "Preview" and "Effective", and "Chat" if it remembers; above an input "Run" and "Preview"; above the name of an
 * orchestration "Run", "Graph" and "Effective"; above servers "List Tools".
 */
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
      const text = document.getText();
      const ranges = locate(text, ['/agent_name', '/include_history', '/client_ids', '/name', '/servers', '/input', '/context']);
      const lenses = (pointer: string, commands: readonly vscode.Command[]) => {
        const at = document.positionAt(ranges.get(pointer)?.key?.start ?? 0);
        return commands.map((command) => new vscode.CodeLens(new vscode.Range(at, at), command));
      };
      const list = { title: `$(tools) ${vscode.l10n.t('List Tools')}`, command: 'agentStack.listTools', arguments: [uri] };
      const preview = { title: `$(open-preview) ${vscode.l10n.t('Preview')}`, command: 'agentStack.previewPrompt', arguments: [uri] };
      const run = { title: `$(play) ${vscode.l10n.t('Run')}`, command: 'agentStack.runAgent', arguments: [uri] };
      const chat = { title: `$(comment-discussion) ${vscode.l10n.t('Chat')}`, command: 'agentStack.openChat', arguments: [uri] };
      const history = ranges.get('/include_history')?.value;
      const remembers = history !== undefined && text.slice(history.start, history.end) === 'true';
      const effective = { title: `$(layers) ${vscode.l10n.t('Effective')}`, command: 'agentStack.showEffectiveConfig', arguments: [uri] };
      // Where nothing may run, no lens offers it.
      const { isTrusted } = vscode.workspace;
      if (place === 'orchestration') {
        const start = { title: `$(run-all) ${vscode.l10n.t('Run')}`, command: 'agentStack.runOrchestration', arguments: [uri] };
        const graph = { title: `$(type-hierarchy) ${vscode.l10n.t('Graph')}`, command: 'agentStack.showGraph', arguments: [uri] };
        return lenses('/name', isTrusted ? [start, graph, effective] : [graph, effective]);
      }
      if (place === 'servers') return isTrusted && ranges.get('/servers')?.key ? lenses('/servers', [list]) : [];
      // A data set has many inputs, and the command does not choose one.
      const input = ['/input', '/context'].find((pointer) => ranges.get(pointer)?.key);
      if (place === 'payload') return input === undefined ? [] : lenses(input, isTrusted ? [run, preview] : [preview]);
      if (place === 'teamPayload') return input === undefined || !isTrusted ? [] : lenses(input, [run]);
      const agentLenses = lenses('/agent_name', isTrusted ? [run, ...(remembers ? [chat] : []), preview, effective] : [preview, effective]);
      return isTrusted && ranges.get('/client_ids')?.key ? [...agentLenses, ...lenses('/client_ids', [list])] : agentLenses;
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

function placeOf({ fsPath }: vscode.Uri): 'agent' | 'payload' | 'teamPayload' | 'orchestration' | 'servers' | undefined {
  if (/[\\/]orchestrations[\\/][^\\/]+\.json$/.test(fsPath)) return 'orchestration';
  if (/[\\/]mcp\.json$/.test(fsPath)) return 'servers';
  if (/[\\/]payloads[\\/][^\\/]+[\\/][^\\/]+\.json$/.test(fsPath)) {
    if (existsSync(agentsFolder(fsPath))) return 'payload';
    // The payload of an agent that does not exist can be neither run nor shown.
    return existsSync(orchestrationFile(fsPath)) ? 'teamPayload' : undefined;
  }
  return /[\\/]agents[\\/][^\\/]+[\\/][^\\/]+\.json$/.test(fsPath) ? 'agent' : undefined;
}

function agentsFolder(payload: string): string {
  const agent = dirname(payload);
  return join(agent, '..', '..', 'agents', basename(agent));
}

function orchestrationFile(payload: string): string {
  const team = dirname(payload);
  return join(team, '..', '..', 'orchestrations', `${basename(team)}.json`);
}
