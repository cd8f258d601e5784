import * as vscode from 'vscode';
import type { Client } from '../../client.js';
import type { CaseTree } from './caseTree.js';
import type { RunMode } from './types.js';

/** The cases with `expect` in the Test Explorer, once the workspace is trusted. The code that lists and runs them is loaded on request. */
export function testsView(client: Client): vscode.Disposable {
  let view: vscode.Disposable | undefined;
  const make = () => {
    view ??= createExplorer(client);
  };
  if (vscode.workspace.isTrusted) make();
  return vscode.Disposable.from(vscode.workspace.onDidGrantWorkspaceTrust(make), { dispose: () => view?.dispose() });
}

function createExplorer(client: Client): vscode.Disposable {
  const { t } = vscode.l10n;
  const controller = vscode.tests.createTestController('agentStack', 'Agent Stack');
  let loading: Promise<CaseTree> | undefined;
  const loadTree = () => {
    loading ??= import('./caseTree.js').then(({ CaseTree }) => new CaseTree(client, controller));
    return loading;
  };
  Object.assign(client.tests, { controller, loadTree });
  controller.resolveHandler = async (item) => {
    if (item === undefined) await (await loadTree()).ready();
  };
  controller.refreshHandler = async () => (await loadTree()).reload();
  const handler = (mode: RunMode) => async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
    const [{ runTests }, tree] = await Promise.all([import('./runTests.js'), loadTree()]);
    await runTests(client, { tree, controller, request, token, mode });
  };
  const { Run, Coverage } = vscode.TestRunProfileKind;
  controller.createRunProfile(t('Run'), Run, handler('run'), true, undefined, true);
  controller.createRunProfile(t('Replay'), Run, handler('replay'), false);
  controller.createRunProfile(t('Compare with Baseline'), Run, handler('compare'), false);
  const coverage = controller.createRunProfile(t('Run with Coverage'), Coverage, handler('coverage'), true);
  coverage.loadDetailedCoverage = async (_run, file) => (await import('./showCoverage.js')).detailsOf(file);
  return {
    dispose() {
      Object.assign(client.tests, { controller: undefined, loadTree: undefined });
      controller.dispose();
      void loading?.then((tree) => tree.dispose());
    },
  };
}
