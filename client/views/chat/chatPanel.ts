import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { branchSession } from '../../../core/run/sessionStore.js';
import type { EffectiveAgent } from '../../../core/snapshot/effective.js';
import { showPage } from '../../panels/webviewPage.js';
import type { Services } from '../../services.js';
import { tellFailure } from '../../tellFailure.js';
import type { WithGraphs } from '../graph/graphLoader.js';
import { openLink } from '../openLink.js';
import { HiddenWatch } from '../run/hiddenWatch.js';
import { LiveRun } from '../run/liveRun.js';
import type { ViewEvent } from '../run/messages.js';
import type { WithRuns } from '../run/runs.js';
import { prepareRun } from '../run/startRun.js';
import type { ShownRun } from '../run/types.js';
import { chatFields, readChatInput } from './chatInput.js';
import { chatStrings } from './chatStrings.js';
import type { OpenChat, WithChats } from './chats.js';
import { chatTotals } from './chatTotals.js';
import type { ChatTarget } from './chatTurns.js';
import { conversationText } from './conversationText.js';
import { type ChatFacts, type ChatHostMessage, type ChatPageMessage, isChatPageMessage } from './messages.js';

export const chatPanelType = 'agentStack.chat';

/** Events are collected for this long before they are sent to the page, in ms: one frame. */
const frame = 16;

type Needs = Services & WithRuns & WithGraphs & WithChats;

interface Turn {
  readonly id: number;
  readonly run: ShownRun;
  /** Events not yet sent to the page. */
  waiting: ViewEvent[];
}

/** A panel with the conversation of one session: each turn is a run, kept and continued by the runtime as every run of that session. */
export class ChatPanel implements OpenChat {
  private readonly services: Needs;
  private readonly panel: vscode.WebviewPanel;
  private readonly config: EffectiveAgent;
  private readonly hidden: HiddenWatch;
  private target: ChatTarget;
  private turns: readonly Turn[] = [];
  private lastId = 0;
  private isPreparing = false;
  /** Whether the page is loaded and has everything so far. VS Code discards a hidden page and loads it again. */
  private isReady = false;
  private isClosed = false;

  /** @param config of the agent, for the fields that a message has */
  constructor(services: Needs, panel: vscode.WebviewPanel, target: ChatTarget, config: EffectiveAgent, turns: readonly ShownRun[]) {
    this.services = services;
    this.panel = panel;
    this.target = target;
    this.config = config;
    this.hidden = new HiddenWatch(() => this.reveal());
    this.turns = turns.map((run) => this.toTurn(run));
    panel.title = vscode.l10n.t('Chat: {0}', `${target.agent_name}@${target.version}`);
    panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.isReady = false;
      this.watchHidden();
    });
    panel.onDidDispose(() => {
      this.isClosed = true;
      this.isReady = false;
      services.chats.closed(this);
      this.watchHidden();
    });
    services.chats.opened(this);
    showPage(services.extension, panel, { name: 'chat', strings: chatStrings() });
  }

  get folder() {
    return this.target.folder;
  }

  get session(): string {
    return this.target.session;
  }

  reveal(): void {
    if (!this.isClosed) this.panel.reveal();
    else void vscode.commands.executeCommand('agentStack.openChat', this.target);
  }

  private get live(): ShownRun | undefined {
    return this.turns.find(({ run }) => run.isLive)?.run;
  }

  private get facts(): ChatFacts {
    const { folder, agent_name, version, llm, session } = this.target;
    return {
      agent: agent_name,
      version,
      root: folder.root,
      session,
      profile: llm ?? null,
      fields: chatFields(this.config),
      totals: chatTotals(this.turns.map(({ run }) => run.transcript.facts)),
      isPreparing: this.isPreparing,
    };
  }

  private receive(message: unknown): void {
    if (!isChatPageMessage(message)) {
      this.services.log.warn('The chat panel sent something that is not a message.');
      return;
    }
    this.act(message).catch((error: unknown) => tellFailure(this.services, 'agentStack.openChat', error));
  }

  private async act(message: ChatPageMessage): Promise<void> {
    const turnOf = (id: number) => this.turns.find((turn) => turn.id === id)?.run;
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.showAll();
        return;
      case 'send':
        return this.send(message.values, message.from);
      case 'stop':
        this.live?.cancel();
        return;
      case 'decide':
        this.live?.decide?.(message.id, message.decision);
        return;
      case 'openLink':
        return openLink(message.address);
      case 'newConversation':
        if (this.live !== undefined || this.isPreparing) return;
        this.target = { ...this.target, session: randomUUID() };
        this.turns = [];
        this.showAll();
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(conversationText(this.turns.map(({ run }) => run.transcript)));
        return;
      case 'copyAnswer':
        await vscode.env.clipboard.writeText(turnOf(message.turn)?.transcript.result ?? '');
        return;
      case 'openRun':
      case 'saveCase': {
        const run_id = turnOf(message.turn)?.transcript.facts.run_id ?? null;
        if (run_id !== null) await vscode.commands.executeCommand(`agentStack.${message.type}`, { folder: this.folder, run_id });
        return;
      }
      case 'setKey':
        await vscode.commands.executeCommand('agentStack.setApiKey');
        return;
      case 'whole': {
        const { turn, part } = message;
        const found = turnOf(turn)?.transcript.whole(part);
        if (found !== undefined) this.post({ type: 'whole', turn, part, ...found });
        return;
      }
    }
  }

  /** Adds a turn, or replaces `from`: the turns before it then begin a new conversation. */
  private async send(values: Readonly<Record<string, string>>, from: number | null): Promise<void> {
    if (this.live !== undefined || this.isPreparing) return;
    const at = this.turns.findIndex(({ id }) => id === from);
    const payload = readChatInput(this.config, values);
    if ('wrong' in payload && typeof payload.wrong === 'string') return this.refuse(payload.wrong);
    this.isPreparing = true;
    this.post({ type: 'chat', chat: this.facts });
    try {
      const isBranch = at >= 0;
      const kept = isBranch ? this.turns.slice(0, at) : this.turns;
      const session = isBranch ? randomUUID() : this.session;
      const plan = await prepareRun(this.services, { ...this.target, session, payload });
      if (isBranch) {
        const runs = kept.flatMap(({ run }) => run.transcript.facts.run_id ?? []);
        await branchSession(createNodeFiles(this.folder.root), { from: this.session, to: session, runs });
      }
      this.target = { ...this.target, session };
      this.turns = [...kept, this.toTurn(new LiveRun(this.services, plan))];
      this.isPreparing = false;
      this.showAll();
      this.watchHidden();
    } catch (error) {
      this.isPreparing = false;
      this.refuse('');
      throw error;
    }
  }

  private refuse(message: string): void {
    this.post({ type: 'refused', chat: this.facts, message });
  }

  private toTurn(run: ShownRun): Turn {
    this.lastId += 1;
    const turn: Turn = { id: this.lastId, run, waiting: [] };
    let isWaiting = false;
    run.onDidAdd((added) => {
      turn.waiting.push(...added);
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        const { facts } = run.transcript;
        const events = turn.waiting;
        turn.waiting = [];
        if (this.turns.includes(turn)) this.post({ type: 'more', chat: this.facts, turn: { id: turn.id, facts, events } });
        this.watchHidden();
      }, frame);
    });
    return turn;
  }

  private showAll(): void {
    const turns = this.turns.map((turn) => {
      turn.waiting = [];
      const { facts, events } = turn.run.transcript;
      return { id: turn.id, facts, events };
    });
    this.post({ type: 'show', chat: this.facts, turns });
  }

  private watchHidden(): void {
    const run = this.turns.at(-1)?.run;
    if (run !== undefined) this.hidden.watch(run, !this.isClosed && this.panel.visible);
  }

  /** Secrets are already masked in events, but not in what the user typed or in a call that waits for approval. */
  private post(message: ChatHostMessage): void {
    if (this.isReady) void this.panel.webview.postMessage(this.services.cover.apply(message));
  }
}
