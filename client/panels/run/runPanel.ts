import * as vscode from 'vscode';
import type { Services } from '../../services.js';
import { handleLinks } from '../links.js';
import { PanelPage } from '../panelPage.js';
import { HiddenWatch } from './hiddenWatch.js';
import { fromPage, type PageAction, type ToPage, type ViewEvent, type ViewFacts } from './messages.js';
import { uriOfRecording } from './recordings.js';
import type { WithRuns } from './runs.js';
import { fullNameOfRun, stateWord } from './runWords.js';
import type { OpenRunPanel, ShownRun } from './types.js';

export const runPanelType = 'agentStack.run';

/** Milliseconds for which events wait for company before they are sent to the page: a frame. */
const frame = 16;

/** A panel with one run in it. It may be given another run of the same agent later. */
export class RunPanel implements OpenRunPanel {
  readonly #services: Services & WithRuns;
  readonly #page: PanelPage<ToPage, typeof fromPage>;
  readonly #hidden = new HiddenWatch(() => this.#bringBack());
  #run: ShownRun;
  #listener: vscode.Disposable | undefined;
  #waiting: ViewEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** What the page has. */
  #sentFacts: ViewFacts | undefined;

  constructor(services: Services & WithRuns, panel: vscode.WebviewPanel, run: ShownRun) {
    this.#services = services;
    this.#run = run;
    this.#page = new PanelPage(services, panel, {
      name: 'run',
      title: titleOf(run),
      command: 'agentStack.openRun',
      messages: fromPage,
      // All of it is sent, including what waited.
      onReady: () => this.#sendAll(),
      onViewChange: () => this.#watchHidden(),
      on: {
        act: ({ action }) => this.#act(action),
        whole: ({ part }) => this.sendWhole(part),
        openSource: ({ id }) => vscode.commands.executeCommand('agentStack.showRunSource', this.#reference, id),
        ...handleLinks({ folder: () => this.#run.folder, page: () => this.#page }),
        openIssue: ({ path, keyword }) => vscode.commands.executeCommand('agentStack.showRunIssue', this.#reference, { path, keyword }),
        edit: ({ part, text }) => this.#run.stops?.edit(part, text),
        decide: ({ id, decision }) => this.#run.decide?.(id, decision),
      },
    });
    services.runs.opened(this);
    this.#page.onDidClose(() => {
      services.runs.closed(this);
      // A run in progress is followed to its end, which is reported.
      if (!this.#run.isLive) this.#forget();
    });
    this.show(run);
  }

  get run(): ShownRun {
    return this.#run;
  }

  get column(): vscode.ViewColumn | undefined {
    return this.#page.column;
  }

  get isActive(): boolean {
    return this.#page.isActive;
  }

  get isVisible(): boolean {
    return this.#page.isVisible;
  }

  show(run: ShownRun): void {
    this.#forget();
    this.#run = run;
    this.#listener = run.onDidAdd((events) => {
      this.#waiting.push(...events);
      this.#timer ??= setTimeout(() => this.#flush(), frame);
    });
    this.#sendAll();
    this.#watchHidden();
  }

  reveal(preserveFocus: boolean, column?: vscode.ViewColumn): void {
    this.#page.reveal(preserveFocus ? 'keep focus' : 'take focus', column);
  }

  refresh(): void {
    if (this.#page.isReady) this.#flush();
  }

  sendWhole(part: number): void {
    const text = this.#run.transcript.whole(part);
    if (text !== undefined) this.#page.send({ type: 'whole', part, ...text });
  }

  get #reference() {
    const { run_id } = this.#run.transcript.facts;
    return run_id === null ? undefined : { folder: this.#run.folder, run_id };
  }

  /** Does what a button requests. What may be refused goes through its command, which says why. */
  async #act(action: PageAction): Promise<unknown> {
    const { folder, transcript } = this.#run;
    const { recording, isPinned } = transcript.facts;
    const reference = this.#reference;
    const execute = (command: string, ...args: readonly unknown[]) => vscode.commands.executeCommand(command, ...args);
    switch (action) {
      case 'cancel':
        return this.#run.cancel();
      case 'pause':
        return this.#run.stops?.pause();
      case 'proceed':
        return this.#run.stops?.go(false);
      case 'step':
        return this.#run.stops?.go(true);
      case 'copy':
        return vscode.env.clipboard.writeText(transcript.result);
      case 'pin':
        return reference && this.#services.runs.setPinned(reference, !isPinned);
      case 'openRecording':
        return recording && execute('vscode.open', uriOfRecording(folder, recording));
      case 'setKey':
        return (await execute('agentStack.setApiKey')) === true && execute('agentStack.runAgain', this);
      case 'listTools':
        return execute('agentStack.listTools', { folder });
      case 'runAgain':
        return execute('agentStack.runAgain', this);
      case 'continue':
        return execute('agentStack.continueConversation', this);
      default:
        return execute(commandsOfRuns[action], reference);
    }
  }

  #flush(): void {
    const events = this.#stopWaiting();
    const { facts } = this.#run.transcript;
    this.#page.title = titleOf(this.#run);
    if (facts !== this.#sentFacts) this.#page.send({ type: 'more', facts, events });
    else if (events.length > 0) this.#page.send({ type: 'more', events });
    if (this.#page.isReady) this.#sentFacts = facts;
    this.#watchHidden();
  }

  #sendAll(): void {
    this.#stopWaiting();
    const { facts, events } = this.#run.transcript;
    this.#page.title = titleOf(this.#run);
    this.#page.send({ type: 'show', facts, events });
    if (this.#page.isReady) this.#sentFacts = facts;
  }

  #stopWaiting(): readonly ViewEvent[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#waiting.splice(0);
  }

  #watchHidden(): void {
    this.#hidden.watch(this.#run, this.isVisible);
  }

  #bringBack(): void {
    if (!this.#page.isClosed) this.reveal(false);
    else void vscode.commands.executeCommand('agentStack.openRun', { folder: this.#run.folder, run_id: this.#run.transcript.facts.run_id });
  }

  #forget(): void {
    this.#listener?.dispose();
    this.#listener = undefined;
    this.#stopWaiting();
  }
}

/** Ends with the state, which the tab then tells while another is in front. */
function titleOf({ transcript: { facts } }: ShownRun): string {
  const state = facts.status === 'running' ? vscode.l10n.t('running') : stateWord(facts.status);
  return vscode.l10n.t('Run: {0}', `${fullNameOfRun(facts)} · ${state}`);
}

const commandsOfRuns = {
  debug: 'agentStack.debugRun',
  fork: 'agentStack.forkRun',
  saveCase: 'agentStack.saveCase',
  openRaw: 'agentStack.openRawRun',
  openHistory: 'agentStack.showRunInHistory',
  openSnapshot: 'agentStack.showRunSnapshot',
  resume: 'agentStack.resumeRun',
  showGraph: 'agentStack.showRunGraph',
} as const;
