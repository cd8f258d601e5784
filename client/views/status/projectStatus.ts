import * as vscode from 'vscode';
import { debounce } from '../../debounce.js';
import type { WithRuns } from '../../panels/run/runs.js';
import type { Services } from '../../services.js';
import { startOfToday } from './dailySpending.js';
import type { ProjectItems } from './projectItems.js';

const day = 24 * 60 * 60 * 1000;

/** The status bar: the environment of the project, and what its runs have cost today. */
export function projectStatus(services: Services & WithRuns): vscode.Disposable {
  let loading: Promise<ProjectItems> | undefined;
  let midnight: NodeJS.Timeout | undefined;
  const changes = debounce<'look'>(async () => {
    loading ??= import('./projectItems.js').then(({ ProjectItems }) => new ProjectItems(services));
    await (await loading).show();
    clearTimeout(midnight);
    midnight = setTimeout(look, startOfToday() + day - Date.now() + 1_000);
  }, 250);
  const look = () => changes.add('look');
  // Runs of the command line count too.
  const results = vscode.workspace.createFileSystemWatcher('**/.agentstack/runs/*/result.json');
  look();
  return vscode.Disposable.from(
    results,
    results.onDidCreate(look),
    results.onDidChange(look),
    results.onDidDelete(look),
    services.runs.onDidChange(look),
    services.projects.onDidChange((uri) => uri.path.endsWith('/agentstack.json') && look()),
    vscode.window.onDidChangeActiveTextEditor(look),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('agentStack.environment') || event.affectsConfiguration('agentStack.budget')) look();
    }),
    new vscode.Disposable(() => {
      clearTimeout(midnight);
      changes.dispose();
      void loading?.then((items) => items.dispose());
    }),
  );
}
