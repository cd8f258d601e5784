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
 * Yields the items that `work` emits, as they arrive, and returns its result. A reader that leaves early aborts the signal of the work, which is
 * then not awaited. `outer` aborts it too, with its own reason.
 *
 * @throws the error of `work`, after all emitted items were yielded
 */
export async function* streamed<Item, Value>(
  work: (emit: (item: Item) => void, abandoned: AbortSignal) => Promise<Value>,
  outer?: AbortSignal,
): AsyncGenerator<Item, Value, undefined> {
  const abandoned = new AbortController();
  const onAbort = () => abandoned.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });
  const queue = new EventQueue<Item>();
  const working = work((item) => queue.push(item), abandoned.signal).finally(() => queue.close());
  // It is awaited below, unless the reader leaves: then its failure is ignored.
  working.catch(() => undefined);
  let isOver = false;
  try {
    for (let items = await queue.next(); items; items = await queue.next()) yield* items;
    isOver = true;
    return await working;
  } finally {
    outer?.removeEventListener('abort', onAbort);
    if (!isOver) abandoned.abort(new CancelledError('The result is no longer needed.'));
  }
}
