import type { AgentEvent } from '../../agent/events.js';

/**
 * Which text of a run can be sent as it comes: that of an agent that asks once and whose text is its answer. Text of others may turn out to be a thought,
 * or be corrected before it becomes the answer.
 */
export class LiveText {
  readonly #isLive: boolean;
  #sent = '';

  /** @param isLive whether the answer is the text of one model call */
  constructor(isLive: boolean) {
    this.#isLive = isLive;
  }

  /** What of an event is to be sent; empty for nothing. */
  take(event: AgentEvent): string {
    if (!this.#isLive || event.type !== 'chunk') return '';
    this.#sent += event.text;
    return event.text;
  }

  /** What of the answer is left to be sent at its end; undefined where what was sent is not a part of it. */
  rest(answer: string): string | undefined {
    return answer.startsWith(this.#sent) ? answer.slice(this.#sent.length) : undefined;
  }
}
