import * as vscode from 'vscode';
import type { Services } from '../../services.js';

const evalScheme = 'agentstack-eval';

/** A run of a stored eval as a document to read. */
export function uriOfEvalRun(root: string, eval_id: string, run_id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: evalScheme, path: `/${eval_id}/${run_id}.json`, query: root });
}

/** The documents of `uriOfEvalRun`. Only projects of this workspace are read; a link cannot name another. */
export function evalDocuments({ projects, cover }: Services): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(evalScheme, {
    async provideTextDocumentContent({ path, query }) {
      const folder = await projects.find(query);
      const [, eval_id, run_id] = /^\/([\da-f]+)\/([\da-f]+)\.json$/.exec(path) ?? [];
      if (folder === undefined || eval_id === undefined || run_id === undefined) return '';
      const [{ createJournalFiles }, { createNodeFiles }, { readEval }, { runDetails }, { loadPatterns }] = await Promise.all([
        import('../../../core/node/journalFiles.js'),
        import('../../../core/node/nodeFiles.js'),
        import('../../../core/eval/runner/evalStore.js'),
        import('../../../core/eval/report/runDetails.js'),
        import('../../../core/routing/patterns.js'),
      ]);
      const kept = { files: createNodeFiles(folder.root), storage: createJournalFiles(folder.root) };
      const details = runDetails(await readEval(kept, eval_id), run_id, await loadPatterns());
      return details === undefined ? '' : `${JSON.stringify(cover.apply(details), null, 2)}\n`;
    },
  });
}
