import * as vscode from 'vscode';
import type { RunReference } from '../../panels/run/types.js';
import type { Services } from '../../services.js';

export const runScheme = 'agentstack-run';

/** A run as a document to read: its text is made from its folder when it is opened. */
export function uriOfRun({ folder, run_id }: RunReference): vscode.Uri {
  return vscode.Uri.from({ scheme: runScheme, path: `/${run_id}.md`, query: folder.root });
}

/** The documents of `uriOfRun`. Only projects of this workspace are read; a link cannot name another. */
export function runDocuments({ projects }: Services): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(runScheme, {
    async provideTextDocumentContent({ path, query }) {
      const folder = (await projects.list()).find(({ root }) => root === query);
      const run_id = /^\/([^/]+)\.md$/.exec(path)?.[1];
      if (folder === undefined || run_id === undefined) return '';
      const [{ createNodeFiles }, { readRun }, { describeRun }] = await Promise.all([
        import('../../../core/node/nodeFiles.js'),
        import('../../../core/run/readRuns.js'),
        import('./describeRun.js'),
      ]);
      const { t } = vscode.l10n;
      return describeRun(await readRun(createNodeFiles(folder.root), run_id), {
        input: t('Input'),
        output: t('Output'),
        error: t('Error'),
        messages: t('Messages'),
        metadata: t('About this run'),
        none: t('(none)'),
      });
    },
  });
}
