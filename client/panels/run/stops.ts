import * as vscode from 'vscode';
import type { Change, FindingStop, Gate, Stop } from '../../../core/agent/gate.js';
import { usdText } from '../../../core/amounts.js';
import { agentOf } from '../../../core/debug/describeStop.js';
import { type Editable, editablesAt, editedAt } from '../../../core/debug/editable.js';
import { InputInvalidError } from '../../../core/errors.js';
import { messageWeight } from '../../../core/llm/messageText.js';
import { countText } from '../../../core/llm/tokenText.js';
import type { ViewStop } from './messages.js';

interface Options {
  /** Masks secrets. */
  readonly cover: (text: string) => string;
  /** Where the run waits now; null while it does not. */
  readonly onChange: (stop: ViewStop | null) => void;
}

/** A panel shows what is found in the run as it goes on. */
type ShownStop = Exclude<Stop, FindingStop>;

interface Waiting {
  readonly stop: ShownStop;
  change: Change | undefined;
  problem: string;
  readonly go: (change: Change | undefined) => void;
}

/** Stops a run of a panel where its buttons say so. Until then its gate lets everything pass. One stop waits; other tasks go on meanwhile. */
export class RunStops {
  readonly #options: Options;
  #wanted: 'none' | 'call' | 'any' = 'none';
  #waiting: Waiting | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  readonly gate: Gate = (stop) => {
    const isWanted = this.#wanted === 'any' || (this.#wanted === 'call' && (stop.at === 'model' || stop.at === 'tool'));
    if (!isWanted || this.#waiting || stop.at === 'finding') return undefined;
    this.#wanted = 'none';
    return new Promise((resolve) => {
      this.#waiting = { stop, change: undefined, problem: '', go: resolve };
      this.#tell();
    });
  };

  /** Stops before the next model or tool call. */
  pause(): void {
    this.#wanted = 'call';
  }

  /** @param isStep stops again at the next place of any kind */
  go(isStep: boolean): void {
    this.#wanted = isStep ? 'any' : 'none';
    const waiting = this.#waiting;
    this.end();
    waiting?.go(waiting.change);
  }

  /** Changes a part of what is shown, if the run accepts it; else what is wrong is shown beside it. */
  async edit(part: number, text: string): Promise<void> {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const editable = editablesAt(waiting.stop, waiting.change)[part];
    if (editable === undefined || this.#isMasked(editable)) return;
    try {
      waiting.change = (await editedAt(waiting.stop, editable, text)) ?? waiting.change;
      waiting.problem = '';
    } catch (error) {
      if (!(error instanceof InputInvalidError)) throw error;
      waiting.problem = error.message;
    }
    if (this.#waiting === waiting) this.#tell();
  }

  /** The run is over, or goes on. */
  end(): void {
    if (this.#waiting === undefined) return;
    this.#waiting = undefined;
    this.#tell();
  }

  #tell(): void {
    this.#options.onChange(this.#waiting ? this.#viewOf(this.#waiting) : null);
  }

  #viewOf({ stop, change, problem }: Waiting): ViewStop {
    const { t } = vscode.l10n;
    const editables = stop.locked === undefined ? editablesAt(stop, change) : [];
    const labels = labelsOf(stop, change);
    const parts = labels.map(({ label, text }, index) => {
      const editable = editables.length === labels.length ? editables[index] : undefined;
      const isEditable = editable !== undefined && !this.#isMasked(editable);
      return { label, text, edit: isEditable ? editable.text : null };
    });
    const facts: string[] = [];
    if (stop.at === 'model') facts.push(stop.request.model, t('about {0} tokens', countText(stop.tokens, vscode.env.language)));
    if (stop.at !== 'route') {
      const { used, cost_left } = stop;
      const cost = used.cost === null ? t('cost unknown') : usdText(used.cost, vscode.env.language);
      facts.push(t('so far {0} tokens, {1}', countText(used.total_tokens, vscode.env.language), cost));
      if (cost_left !== undefined) facts.push(t('{0} left', usdText(cost_left, vscode.env.language)));
    }
    return {
      words: wordsOf(stop),
      place: stop.team === undefined ? '' : [stop.team, stop.task].filter(Boolean).join(' / '),
      parts,
      facts: facts.join(' · '),
      locked: stop.locked ?? '',
      isChanged: change !== undefined,
      problem,
    };
  }

  /** A secret that is shown masked would be sent masked. */
  #isMasked({ text }: Editable): boolean {
    return this.#options.cover(text) !== text;
  }
}

/** What is about to be sent or was answered, part by part; the parts that can be edited are the same, in that order. */
function labelsOf(stop: ShownStop, change: Change | undefined): readonly { readonly label: string; readonly text: string }[] {
  const { t } = vscode.l10n;
  const [only] = editablesAt(stop, change);
  switch (stop.at) {
    case 'model':
      return (change?.messages ?? stop.request.messages).map((message, index) => ({
        label: `${index + 1} ${message.role}`,
        text: messageWeight(message),
      }));
    case 'answer':
      return [{ label: t('Answer'), text: messageWeight({ role: 'assistant', content: stop.completion.blocks ?? stop.completion.text }) }];
    case 'tool':
      return [{ label: t('Arguments of {0}', stop.call.name), text: only?.text ?? '' }];
    case 'tool_answer':
      return [{ label: t('Answer of {0}', stop.call.name), text: only?.text ?? '' }];
    case 'route':
      return [{ label: t('Context'), text: only?.text ?? '' }];
  }
}

function wordsOf(stop: ShownStop): string {
  const { t } = vscode.l10n;
  if (stop.at === 'route')
    return stop.next_team === null
      ? t('Stopped at the route of {0}, which ends the run', stop.team)
      : t('Stopped at the route of {0}, which leads to {1}', stop.team, stop.next_team);
  const agent = agentOf(stop);
  switch (stop.at) {
    case 'model':
      return t('Stopped before call {0} of {1}', stop.step, agent);
    case 'answer':
      return t('Stopped after the answer to call {0} of {1}', stop.step, agent);
    case 'tool':
      return t('Stopped before {0} calls {1}', agent, stop.call.name);
    case 'tool_answer':
      return t('Stopped after {0} has called {1}', agent, stop.call.name);
  }
}
