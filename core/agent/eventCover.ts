import type { KnownSecrets } from '../ports.js';
import { coverAll } from '../secrets/coverValue.js';
import { StreamCover } from '../secrets/streamCover.js';
import type { EventBody, RunResult } from './events.js';

type TextEvent = Extract<EventBody, { type: 'chunk' | 'thinking' }>;

const nothing: readonly EventBody[] = [];

/**
 * What a run tells, with every secret in it covered. Streamed text comes out as it comes in, but for an end of it that may be the beginning of a
 * secret: that waits for what follows.
 */
export class EventCover {
  readonly #known: KnownSecrets | undefined;
  readonly #stream: StreamCover;
  /** Of the text that is streamed at present. */
  #type: TextEvent['type'] | undefined;

  constructor(known: KnownSecrets | undefined) {
    this.#known = known;
    this.#stream = new StreamCover(known);
  }

  /** The events to tell now, one as a rule. */
  take(body: EventBody): readonly EventBody[] {
    if (body.type !== 'chunk' && body.type !== 'thinking') return [...this.rest(), coverAll(body, this.#known)];
    const before = body.type === this.#type ? nothing : this.rest();
    this.#type = body.type;
    const text = this.#stream.push(body.text);
    if (text === '') return before;
    return [...before, text === body.text ? body : { ...body, text }];
  }

  /** What waits, now that no more text comes. */
  rest(): readonly EventBody[] {
    if (this.#type === undefined) return nothing;
    const type = this.#type;
    this.#type = undefined;
    const text = this.#stream.end();
    return text === '' ? nothing : [{ type, text }];
  }
}

/** A result without secrets, which is remembered to be so: whoever keeps it or tells it again need not look once more. */
export function coverResult(result: RunResult, known: KnownSecrets | undefined): RunResult {
  const covered = coverAll(result, known);
  known?.clean(covered);
  return covered;
}
