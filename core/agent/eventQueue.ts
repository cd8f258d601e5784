import { CancelledError } from '../errors.js';

/** Events of parallel work, passed on in the order they happen. For one reader. */
export class EventQueue<Event> {
  #waiting: Event[] = [];
  #isOpen = true;
  #wake: (() => void) | undefined;

  push(event: Event): void {
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** No more events will come. */
  close(): void {
    this.#isOpen = false;
    this.#wake?.();
  }

  /** Everything since the last call, at least one event; undefined when the queue is closed and everything has been passed on. */
  async next(): Promise<readonly Event[] | undefined> {
    if (this.#waiting.length === 0 && this.#isOpen) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    if (this.#waiting.length === 0) return undefined;
    const events = this.#waiting;
    this.#waiting = [];
    return events;
  }
}

/**
 * Yields what `work` emits, as it arrives, and returns its result. A reader that leaves early aborts the signal of the work, which is then not
 * waited for. `outer` aborts it too, with its own reason.
 *
 * @throws what `work` throws, once everything it emitted was yielded
 */
export async function* streamed<Item, Value>(
  work: (emit: (item: Item) => void, abandoned: AbortSignal) => Promise<Value>,
  outer?: AbortSignal,
): AsyncGenerator<Item, Value, undefined> {
  const abandoned = new AbortController();
  const onAbort = () => abandoned.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });
  const coming = new EventQueue<Item>();
  const working = work((item) => coming.push(item), abandoned.signal).finally(() => coming.close());
  // It is awaited below, unless the reader leaves: then its failure is ignored.
  working.catch(() => undefined);
  let isOver = false;
  try {
    for (let items = await coming.next(); items; items = await coming.next()) yield* items;
    isOver = true;
    return await working;
  } finally {
    outer?.removeEventListener('abort', onAbort);
    if (!isOver) abandoned.abort(new CancelledError('Nothing waits for the result any more.'));
  }
}
