import * as vscode from 'vscode';
import type { Services } from '../../services.js';

const commitScheme = 'agentstack-commit';

/** A file of a project as it was at a commit, as a document to read. */
export function uriAtCommit(root: string, commit: string, file: string): vscode.Uri {
  return vscode.Uri.from({ scheme: commitScheme, path: `/${commit.slice(0, 10)}/${file}`, query: JSON.stringify({ root, commit, file }) });
}

/** The documents of `uriAtCommit`. Only projects of this workspace are read, and git is started in a trusted workspace only. */
export function commitDocuments({ projects }: Services): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(commitScheme, {
    async provideTextDocumentContent({ query }) {
      const { root, commit, file } = JSON.parse(query) as Readonly<Record<string, unknown>>;
      const folder = await projects.find(root);
      const isCommit = typeof commit === 'string' && /^[0-9a-f]{40,64}$/.test(commit);
      if (folder === undefined || !isCommit || typeof file !== 'string' || !vscode.workspace.isTrusted) return '';
      const { openGitBase } = await import('../../../core/node/git.js');
      const base = await openGitBase(folder.root, commit);
      try {
        return (await base.readText(file)) ?? '';
      } finally {
        base.close();
      }
    },
  });
}
