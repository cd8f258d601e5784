import * as vscode from 'vscode';
import { nameOfRun } from './runWords.js';
import type { ShownRun } from './types.js';

/** While the panel of a run is hidden, shows notifications instead: that it runs, where it stopped, what it asks, how it ended. */
export class HiddenWatch {
  private readonly bringBack: () => void;
  private progress: HiddenProgress | undefined;
  /** The last question that was announced. */
  private toldCount = 0;
  /** The last stop that was announced. */
  private toldStop: string | undefined;

  constructor(bringBack: () => void) {
    this.bringBack = bringBack;
  }

  /** Called when the run or the panel has changed. */
  watch(run: ShownRun, isVisible: boolean): void {
    if (!isVisible) this.notify(run);
    if (run.isLive && !isVisible) this.progress ??= showHiddenProgress(run, this.bringBack);
    else {
      this.progress?.end(isVisible ? 'seen' : 'ended');
      this.progress = undefined;
    }
  }

  /** A stop or a question in a hidden panel is announced once; it is answered in the panel, which shows all of it. */
  private notify({ transcript: { facts } }: ShownRun): void {
    const show = vscode.l10n.t('Show');
    const { t } = vscode.l10n;
    const ask = (message: string) =>
      void vscode.window.showWarningMessage(message, show).then((chosen) => chosen === show && this.bringBack());
    if (facts.stop !== null && facts.stop.words !== this.toldStop) ask(`${nameOfRun(facts)}: ${facts.stop.words}`);
    this.toldStop = facts.stop?.words;
    const [first, ...others] = facts.approvals.filter(({ id }) => id > this.toldCount);
    if (first === undefined) return;
    this.toldCount = Math.max(first.id, ...others.map(({ id }) => id));
    ask(
      first.place === ''
        ? t('{0} wants to call {1}.', nameOfRun(facts), first.tool)
        : t('{0} in {1} wants to call {2}.', first.place, nameOfRun(facts), first.tool),
    );
  }
}

interface HiddenProgress {
  /** `seen`: the panel is visible again. `ended`: the run is over, and its end is reported. */
  end(why: 'seen' | 'ended'): void;
}

/** A notification for a run in a hidden panel: with a button that cancels it, and one that shows it when it has ended. */
function showHiddenProgress(run: ShownRun, show: () => void): HiddenProgress {
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
      if (why === 'ended') void notifyEnd(run, name, show);
    },
  };
}

async function notifyEnd(run: ShownRun, name: string, show: () => void): Promise<void> {
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
