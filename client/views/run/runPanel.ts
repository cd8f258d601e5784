import * as vscode from 'vscode';
import { showPage } from '../../panels/webviewPage.js';
import type { Services } from '../../services.js';
import { HiddenWatch } from './hiddenWatch.js';
import { type HostMessage, isPageMessage, type ViewEvent, type ViewFacts } from './messages.js';
import { fullNameOfRun } from './nameOfRun.js';
import { actInPanel } from './panelActions.js';
import { runStrings } from './runStrings.js';
import type { WithRuns } from './runs.js';
import type { ShownRun } from './types.js';

export const runPanelType = 'agentStack.run';

/** Milliseconds for which events wait for company before they are sent to the page: a frame. */
const frame = 16;

/** A panel with one run in it. It may be given another run of the same agent later. */
export class RunPanel {
  private readonly services: Services & WithRuns;
  private readonly panel: vscode.WebviewPanel;
  private shown: ShownRun;
  private listeners: vscode.Disposable[] = [];
  private waiting: ViewEvent[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** The page is there and has all that was sent so far. A hidden page is thrown away by VS Code and begins anew. */
  private isReady = false;
  /** What the page has. */
  private sentFacts: ViewFacts | undefined;
  private isClosed = false;
  private readonly hidden = new HiddenWatch(() => this.bringBack());

  constructor(services: Services & WithRuns, panel: vscode.WebviewPanel, run: ShownRun) {
    this.services = services;
    this.panel = panel;
    this.shown = run;
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.isReady = false;
      this.watchHidden();
    });
    panel.onDidDispose(() => {
      this.isClosed = true;
      this.isReady = false;
      services.runs.closed(this);
      this.watchHidden();
      // A run that goes on is listened to until its end, which is told.
      if (!this.shown.isLive) this.forget();
    });
    services.runs.opened(this);
    this.show(run);
    showPage(services.extension, panel, { name: 'run', strings: runStrings() });
  }

  get run(): ShownRun {
    return this.shown;
  }

  get column(): vscode.ViewColumn | undefined {
    return this.panel.viewColumn;
  }

  get isActive(): boolean {
    return !this.isClosed && this.panel.active;
  }

  get isVisible(): boolean {
    return !this.isClosed && this.panel.visible;
  }

  /** Shows another run in this panel. */
  show(run: ShownRun): void {
    this.forget();
    this.shown = run;
    this.listeners = [
      run.onDidAdd((events) => {
        this.waiting.push(...events);
        this.timer ??= setTimeout(() => this.flush(), frame);
      }),
    ];
    this.retitle();
    if (this.isReady) this.send('show', run.transcript.events);
    this.watchHidden();
  }

  /** @param column where to; default: where it is */
  reveal(preserveFocus: boolean, column?: vscode.ViewColumn): void {
    this.panel.reveal(column, preserveFocus);
  }

  /** What is known of the run as a whole has changed. */
  refresh(): void {
    if (this.isReady) this.flush();
  }

  /** Sends a text that the page has only the beginning of. */
  sendWhole(part: number): void {
    const found = this.shown.transcript.whole(part);
    if (found === undefined) return;
    const message: HostMessage = { type: 'whole', part, ...found };
    this.post(message);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const events = this.waiting;
    this.waiting = [];
    if (this.isReady) this.send('more', events);
    this.watchHidden();
  }

  private send(type: 'show' | 'more', events: readonly ViewEvent[]): void {
    const { facts } = this.shown.transcript;
    if (type === 'show') this.post({ type, facts, events });
    else if (facts !== this.sentFacts) this.post({ type, facts, events });
    else if (events.length > 0) this.post({ type, events });
    this.sentFacts = facts;
  }

  /** Events are covered; what the user has typed, and a call that waits for approval, are not yet. */
  private post(message: HostMessage): void {
    void this.panel.webview.postMessage(this.services.cover.apply(message));
  }

  private receive(message: unknown): void {
    if (!isPageMessage(message)) {
      this.services.log.warn('The run panel sent something that is not a message.');
      return;
    }
    if (message.type !== 'ready') {
      void actInPanel(this.services, this, message);
      return;
    }
    this.isReady = true;
    // All of it is sent now, what waited included.
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
    this.send('show', this.shown.transcript.events);
  }

  private retitle(): void {
    this.panel.title = vscode.l10n.t('Run: {0}', fullNameOfRun(this.shown.transcript.facts));
  }

  private watchHidden(): void {
    this.hidden.watch(this.shown, this.isVisible);
  }

  private bringBack(): void {
    if (!this.isClosed) this.reveal(false);
    else
      void vscode.commands.executeCommand('agentStack.openRun', { folder: this.shown.folder, run_id: this.shown.transcript.facts.run_id });
  }

  private forget(): void {
    for (const listener of this.listeners) listener.dispose();
    this.listeners = [];
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = [];
  }
}
