import * as vscode from 'vscode';
import { nameOfRun } from './nameOfRun.js';
import type { ShownRun } from './types.js';

export interface HiddenProgress {
  /** `seen`: the panel is there again. `ended`: the run is over, and its end is told. */
  end(why: 'seen' | 'ended'): void;
}

/** A notification for a run in a hidden panel: with a button that cancels it, and one that shows it when it has ended. */
export function showHiddenProgress(run: ShownRun, show: () => void): HiddenProgress {
  const name = nameOfRun(run.transcript.facts);
  let finish: () => void = () => undefined;
  // Made here, since VS Code asks for it only after a while, when the run may be over already.
  const over = new Promise<void>((resolve) => {
    finish = resolve;
  });
  void vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Running {0}', name), cancellable: true },
    (_progress, token) => {
      token.onCancellationRequested(() => run.cancel());
      return over;
    },
  );
  return {
    end(why) {
      finish();
      if (why === 'ended') void tellEnd(run, name, show);
    },
  };
}

async function tellEnd(run: ShownRun, name: string, show: () => void): Promise<void> {
  const { status, error } = run.transcript.facts;
  if (status === 'cancelled') return;
  const button = vscode.l10n.t('Show');
  const chosen =
    status === 'completed'
      ? await vscode.window.showInformationMessage(vscode.l10n.t('{0} has completed.', name), button)
      : status === 'partial'
        ? await vscode.window.showWarningMessage(vscode.l10n.t('{0} is partial: {1}', name, error?.message ?? ''), button)
        : await vscode.window.showErrorMessage(vscode.l10n.t('{0} has failed: {1}', name, error?.message ?? ''), button);
  if (chosen === button) show();
}
