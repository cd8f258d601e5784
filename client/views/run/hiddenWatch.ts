import * as vscode from 'vscode';
import { type HiddenProgress, showHiddenProgress } from './hiddenProgress.js';
import { nameOfRun } from './nameOfRun.js';
import type { ShownRun } from './types.js';

/** While the panel of a run is hidden, shows notifications instead: that it runs, what it asks, how it ended. */
export class HiddenWatch {
  private readonly bringBack: () => void;
  private progress: HiddenProgress | undefined;
  /** The last question that was announced. */
  private told = 0;

  constructor(bringBack: () => void) {
    this.bringBack = bringBack;
  }

  /** Called when the run or the panel has changed. */
  watch(run: ShownRun, isVisible: boolean): void {
    if (!isVisible) this.ask(run);
    if (run.isLive && !isVisible) this.progress ??= showHiddenProgress(run, this.bringBack);
    else {
      this.progress?.end(isVisible ? 'seen' : 'ended');
      this.progress = undefined;
    }
  }

  /** A question in a hidden panel is announced once; it is answered in the panel, which shows all of it. */
  private ask({ transcript: { facts } }: ShownRun): void {
    const [first, ...others] = facts.approvals.filter(({ id }) => id > this.told);
    if (first === undefined) return;
    this.told = Math.max(first.id, ...others.map(({ id }) => id));
    const show = vscode.l10n.t('Show');
    const { t } = vscode.l10n;
    const message =
      first.place === ''
        ? t('{0} wants to call {1}.', nameOfRun(facts), first.tool)
        : t('{0} in {1} wants to call {2}.', first.place, nameOfRun(facts), first.tool);
    void vscode.window.showWarningMessage(message, show).then((chosen) => chosen === show && this.bringBack());
  }
}
