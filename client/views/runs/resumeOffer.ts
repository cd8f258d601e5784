import * as vscode from 'vscode';
import type { Client } from '../../client.js';

/** Looks for interrupted runs once, when the extension is there, or when the workspace is trusted: resuming runs agents. */
export function resumeOffer(client: Client): vscode.Disposable {
  const look = () => {
    import('./offerResume.js')
      .then(({ offerResume }) => offerResume(client))
      .catch((error: unknown) => client.log.error('Looking for interrupted runs failed', error instanceof Error ? error : String(error)));
  };
  if (vscode.workspace.isTrusted) look();
  return vscode.workspace.onDidGrantWorkspaceTrust(look);
}
