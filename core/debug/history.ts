import type { Change, ModelStop, Stop } from '../agent/gate.js';
import type { HitPlace } from './breakpoints.js';

type Messages = ModelStop['request']['messages'];

/** A place that the run has reached: as it was then. */
export interface Moment {
  readonly stop: Stop;
  readonly change: Change | undefined;
  readonly thread: number;
  /** The run stopped there, or would have: a breakpoint, or a place of `stopBefore`. */
  readonly isHit: boolean;
  readonly breakpoint?: HitPlace | undefined;
  /** Events of the run before it. */
  readonly events: number;
}

/** A moment without the messages of its request: the requests of one conversation share the longest list of them. */
interface Kept extends Omit<Moment, 'change'> {
  change: Change | undefined;
  readonly conversation: { messages: Messages } | undefined;
  readonly count: number;
}

/** The places that a run has reached, in order. Nothing of them is copied. */
export class History {
  readonly #kept: Kept[] = [];
  /** The last one of each thread. */
  readonly #conversations = new Map<number, { messages: Messages }>();

  get length(): number {
    return this.#kept.length;
  }

  /** @returns its index */
  add(moment: Moment): number {
    const { stop, thread } = moment;
    if (stop.at === 'model') {
      const { messages } = stop.request;
      const withoutMessages = { ...stop, request: { ...stop.request, messages: [] } };
      this.#kept.push({ ...moment, stop: withoutMessages, conversation: this.#continued(thread, messages), count: messages.length });
    } else this.#kept.push({ ...moment, conversation: undefined, count: 0 });
    return this.#kept.length - 1;
  }

  changed(index: number, change: Change | undefined): void {
    const kept = this.#kept[index];
    if (kept && change) kept.change = change;
  }

  at(index: number): Moment | undefined {
    const kept = this.#kept[index];
    if (kept?.stop.at !== 'model' || !kept.conversation) return kept;
    const { stop, conversation, count } = kept;
    return { ...kept, stop: { ...stop, request: { ...stop.request, messages: conversation.messages.slice(0, count) } } };
  }

  /** The last one before `index` where the run stopped; undefined if there is none. */
  hitBefore(index: number): number | undefined {
    const hit = this.#kept.findLastIndex(({ isHit }, at) => at < index && isHit);
    return hit < 0 ? undefined : hit;
  }

  hitAfter(index: number): number | undefined {
    const hit = this.#kept.findIndex(({ isHit }, at) => at > index && isHit);
    return hit < 0 ? undefined : hit;
  }

  /** A conversation grows at its end, unless something was left out or changed. */
  #continued(thread: number, messages: Messages) {
    let conversation = this.#conversations.get(thread);
    if (conversation?.messages.every((message, index) => message === messages[index])) conversation.messages = messages;
    else conversation = { messages };
    this.#conversations.set(thread, conversation);
    return conversation;
  }
}
