import * as vscode from 'vscode';
import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';

/** Looks for interrupted runs once, when the extension starts, or when the workspace is trusted, since resuming runs agents. */
export function resumeOffer(services: Services & WithRuns): vscode.Disposable {
  const look = () => {
    import('./offerResume.js')
      .then(({ offerResume }) => offerResume(services))
      .catch((error: unknown) => services.log.error('Looking for interrupted runs failed', error instanceof Error ? error : String(error)));
  };
  if (vscode.workspace.isTrusted) look();
  return vscode.workspace.onDidGrantWorkspaceTrust(look);
}
