import type { KnownSecrets } from '../ports.js';
import { coverAll } from '../secrets/coverValue.js';
import { StreamCover } from '../secrets/streamCover.js';
import type { EventBody, RunResult } from './events.js';

type TextEvent = Extract<EventBody, { type: 'chunk' | 'thinking' }>;

const noEvents: readonly EventBody[] = [];

/**
 * The events of a run with every secret masked. Streamed text is passed on as it arrives, except for an end that may be the start of
 * a secret, which is held back until more text arrives.
 */
export class EventCover {
  readonly #secrets: KnownSecrets | undefined;
  readonly #stream: StreamCover;
  /** The type of the text being streamed. */
  #type: TextEvent['type'] | undefined;

  constructor(secrets: KnownSecrets | undefined) {
    this.#secrets = secrets;
    this.#stream = new StreamCover(secrets);
  }

  /** The events that can be passed on now, usually one. */
  take(body: EventBody): readonly EventBody[] {
    if (body.type !== 'chunk' && body.type !== 'thinking') return [...this.heldBack(), coverAll(body, this.#secrets)];
    const before = body.type === this.#type ? noEvents : this.heldBack();
    this.#type = body.type;
    const text = this.#stream.push(body.text);
    if (text === '') return before;
    return [...before, text === body.text ? body : { ...body, text }];
  }

  /** The text that was held back, once no more follows. */
  heldBack(): readonly EventBody[] {
    if (this.#type === undefined) return noEvents;
    const type = this.#type;
    this.#type = undefined;
    const text = this.#stream.end();
    return text === '' ? noEvents : [{ type, text }];
  }
}

/** The result with every secret masked. It is marked as clean, so that it is not scanned again when it is stored. */
export function coverResult(result: RunResult, secrets: KnownSecrets | undefined): RunResult {
  const covered = coverAll(result, secrets);
  secrets?.clean(covered);
  return covered;
}
