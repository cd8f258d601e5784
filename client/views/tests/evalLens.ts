import * as vscode from 'vscode';
import type { Client } from '../../client.js';
import { lastEvalsOf } from '../../panels/evals/lastEvals.js';
import { lastText } from './lastText.js';

/** Cases of one file that get a lens: further ones are rarely read, and each has to be drawn. */
const mostLenses = 500;

/** Above `expect` of a payload: `Run`, and the result of the last stored eval, `last 9/10`. */
export function evalLens({ projects, tests }: Client): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document, token) {
      const { uri } = document;
      const folder = projects.of(uri);
      const path = folder?.pathOf(uri);
      if (folder === undefined || path === undefined || !/\/payloads\/[^/]+\/[^/]+\.json$/.test(`/${path}`)) return [];
      if (!vscode.workspace.getConfiguration('agentStack', uri).get('codeLens.enabled', true)) return [];
      const [{ listCases }, { createPacer }] = await Promise.all([import('./listCases.js'), import('./pacer.js')]);
      const name = path.slice(path.lastIndexOf('/') + 1, -'.json'.length);
      const listed = await listCases(name, document.getText(), createPacer(), () => token.isCancellationRequested);
      if (listed === undefined || listed.cases.length === 0) return [];
      const last = await lastEvalsOf(tests).find(folder, path);
      return listed.cases.slice(0, mostLenses).flatMap(({ name: caseName, lens, range }) => {
        const at = new vscode.Range(lens?.start ?? range.start, lens?.start ?? range.start);
        const run = { title: `$(beaker) ${vscode.l10n.t('Run')}`, command: 'agentStack.runCase', arguments: [uri, caseName] };
        const lastReport = last.get(caseName);
        const kept = lastReport && {
          title: lastText(lastReport, vscode.l10n.t),
          command: 'agentStack.showEvals',
          arguments: [{ root: folder.root }],
        };
        // Where nothing may run, no lens says that it does.
        return [...(vscode.workspace.isTrusted ? [run] : []), ...(kept ? [kept] : [])].map((command) => new vscode.CodeLens(at, command));
      });
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.languages.registerCodeLensProvider({ language: 'agent-config', scheme: 'file' }, provider),
    lastEvalsOf(tests).onDidChange(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('agentStack.codeLens') && changed.fire()),
  );
}
