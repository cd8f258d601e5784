import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/json.js';
import { createNodeFiles } from '../../../core/node/nodeFiles.js';
import { branchSession } from '../../../core/run/sessionStore.js';
import type { Services } from '../../services.js';
import { handleLinks } from '../links.js';
import { PanelPage } from '../panelPage.js';
import { HiddenWatch } from '../run/hiddenWatch.js';
import { LiveRun, type RunPlan } from '../run/liveRun.js';
import type { ViewEvent } from '../run/messages.js';
import type { WithRuns } from '../run/runs.js';
import type { RunChoice, ShownRun } from '../run/types.js';
import type { ChatTarget, OpenChat, WithChats } from './chats.js';
import { chatTotals, conversationText } from './conversation.js';
import { type ChatFacts, type ChatField, fromPage, type ToPage } from './messages.js';

export const chatPanelType = 'agentStack.chat';

/** Events are collected for this long before they are sent to the page, in ms: one frame. */
const frame = 16;

/** The agent that a conversation is with. */
export interface ChatAgent {
  readonly fields: readonly ChatField[];
  /** The input of a run from what was typed by key, or a sentence that says what is wrong with it. */
  readInput(typed: Readonly<Record<string, string>>): JsonObject | { readonly wrong: string };
  /** Checks the current agent. @throws Refusal */
  prepare(choice: RunChoice): Promise<RunPlan>;
}

interface Turn {
  readonly id: number;
  readonly run: ShownRun;
  /** Events not yet sent to the page. */
  waiting: ViewEvent[];
}

/** A panel with the conversation of one session: each turn is a run, stored and continued by the runtime like every run of that session. */
export class ChatPanel implements OpenChat {
  readonly #services: Services & WithRuns;
  readonly #page: PanelPage<ToPage, typeof fromPage>;
  readonly #agent: ChatAgent;
  readonly #hidden = new HiddenWatch(() => this.reveal());
  #target: ChatTarget;
  #turns: readonly Turn[] = [];
  #lastId = 0;
  #isPreparing = false;

  constructor(
    services: Services & WithRuns & WithChats,
    panel: vscode.WebviewPanel,
    target: ChatTarget,
    agent: ChatAgent,
    turns: readonly ShownRun[],
  ) {
    this.#services = services;
    this.#target = target;
    this.#agent = agent;
    this.#turns = turns.map((run) => this.#toTurn(run));
    const runOf = (id: number) => this.#turns.find((turn) => turn.id === id)?.run;
    const execute = (command: string, id: number) => {
      const run_id = runOf(id)?.transcript.facts.run_id ?? null;
      return run_id === null ? undefined : vscode.commands.executeCommand(command, { folder: this.folder, run_id });
    };
    this.#page = new PanelPage(services, panel, {
      name: 'chat',
      title: vscode.l10n.t('Chat: {0}', `${target.agent_name}@${target.version}`),
      command: 'agentStack.openChat',
      messages: fromPage,
      onReady: () => this.#showAll(),
      onViewChange: () => this.#watchHidden(),
      on: {
        act: ({ action }) => this.#act(action),
        send: ({ values, from }) => this.#send(values, from),
        whole: ({ turn, part }) => {
          const text = runOf(turn)?.transcript.whole(part);
          if (text !== undefined) this.#page.send({ type: 'whole', turn, part, ...text });
        },
        decide: ({ id, decision }) => this.#live?.decide?.(id, decision),
        ...handleLinks({ folder: () => this.folder, page: () => this.#page }),
        openRun: ({ turn }) => execute('agentStack.openRun', turn),
        saveCase: ({ turn }) => execute('agentStack.saveCase', turn),
        copyAnswer: ({ turn }) => vscode.env.clipboard.writeText(runOf(turn)?.transcript.result ?? ''),
        setKey: () => vscode.commands.executeCommand('agentStack.setApiKey'),
      },
    });
    services.chats.opened(this);
    this.#page.onDidClose(() => services.chats.closed(this));
  }

  get folder() {
    return this.#target.folder;
  }

  get session(): string {
    return this.#target.session;
  }

  reveal(): void {
    if (!this.#page.isClosed) this.#page.reveal('take focus');
    else void vscode.commands.executeCommand('agentStack.openChat', this.#target);
  }

  get #live(): ShownRun | undefined {
    return this.#turns.find(({ run }) => run.isLive)?.run;
  }

  get #facts(): ChatFacts {
    const { folder, agent_name, version, llm, session } = this.#target;
    return {
      agent: agent_name,
      version,
      root: folder.root,
      session,
      profile: llm ?? null,
      fields: this.#agent.fields,
      totals: chatTotals(this.#turns.map(({ run }) => run.transcript.facts)),
      isPreparing: this.#isPreparing,
    };
  }

  #act(action: 'stop' | 'newConversation' | 'copy'): unknown {
    if (action === 'stop') return this.#live?.cancel();
    if (action === 'copy') return vscode.env.clipboard.writeText(conversationText(this.#turns.map(({ run }) => run.transcript)));
    if (this.#live !== undefined || this.#isPreparing) return undefined;
    this.#target = { ...this.#target, session: randomUUID() };
    this.#turns = [];
    return this.#showAll();
  }

  /** Adds a turn, or replaces `from`: the turns before it then start a new conversation. */
  async #send(values: Readonly<Record<string, string>>, from: number | null): Promise<void> {
    if (this.#live !== undefined || this.#isPreparing) return;
    const at = this.#turns.findIndex(({ id }) => id === from);
    const payload = this.#agent.readInput(values);
    if ('wrong' in payload && typeof payload.wrong === 'string') return this.#refuse(payload.wrong);
    this.#isPreparing = true;
    this.#page.send({ type: 'chat', chat: this.#facts });
    try {
      const isBranch = at >= 0;
      const kept = isBranch ? this.#turns.slice(0, at) : this.#turns;
      const session = isBranch ? randomUUID() : this.session;
      const plan = await this.#agent.prepare({ ...this.#target, session, payload });
      if (isBranch) {
        const runs = kept.flatMap(({ run }) => run.transcript.facts.run_id ?? []);
        await branchSession(createNodeFiles(this.folder.root), { from: this.session, to: session, runs });
      }
      this.#target = { ...this.#target, session };
      this.#turns = [...kept, this.#toTurn(new LiveRun(this.#services, plan))];
      this.#isPreparing = false;
      this.#showAll();
      this.#watchHidden();
    } catch (error) {
      this.#isPreparing = false;
      this.#refuse('');
      throw error;
    }
  }

  #refuse(message: string): void {
    this.#page.send({ type: 'refused', chat: this.#facts, message });
  }

  #toTurn(run: ShownRun): Turn {
    this.#lastId += 1;
    const turn: Turn = { id: this.#lastId, run, waiting: [] };
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
        if (this.#turns.includes(turn)) this.#page.send({ type: 'more', chat: this.#facts, turn: { id: turn.id, facts, events } });
        this.#watchHidden();
      }, frame);
    });
    return turn;
  }

  #showAll(): void {
    const turns = this.#turns.map((turn) => {
      turn.waiting = [];
      const { facts, events } = turn.run.transcript;
      return { id: turn.id, facts, events };
    });
    this.#page.send({ type: 'show', chat: this.#facts, turns });
  }

  #watchHidden(): void {
    const run = this.#turns.at(-1)?.run;
    if (run !== undefined) this.#hidden.watch(run, this.#page.isVisible);
  }
}
