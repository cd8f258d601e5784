import { CancelledError } from '../errors.js';

/**
 * Yields what `work` emits, as it comes, and returns what it gives. Whoever leaves in the middle ends the work: its signal aborts, and nobody
 * waits for it.
 *
 * @throws what `work` throws, once everything it emitted was yielded
 */
export async function* streamed<Item, Value>(
  work: (emit: (item: Item) => void, left: AbortSignal) => Promise<Value>,
): AsyncGenerator<Item, Value, undefined> {
  const left = new AbortController();
  let coming: Item[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  const working = work((item) => {
    coming.push(item);
    wake();
  }, left.signal).finally(() => {
    isOver = true;
    wake();
  });
  // It is waited for below, unless the reader leaves: then its failure is nobody's.
  working.catch(() => undefined);
  try {
    while (!isOver || coming.length > 0) {
      const items = coming;
      coming = [];
      yield* items;
      if (isOver || coming.length > 0) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return await working;
  } finally {
    if (!isOver) left.abort(new CancelledError('Nobody waits for this any more.'));
  }
}
