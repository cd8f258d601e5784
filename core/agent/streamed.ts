import { CancelledError } from '../errors.js';
import { EventQueue } from './eventQueue.js';

/**
 * Yields what `work` emits, as it arrives, and returns its result. A reader that leaves early aborts the signal of the work, which is then not
 * waited for. `outer` aborts it too, with its own reason.
 *
 * @throws what `work` throws, once everything it emitted was yielded
 */
export async function* streamed<Item, Value>(
  work: (emit: (item: Item) => void, left: AbortSignal) => Promise<Value>,
  outer?: AbortSignal,
): AsyncGenerator<Item, Value, undefined> {
  const left = new AbortController();
  const onAbort = () => left.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });
  const coming = new EventQueue<Item>();
  const working = work((item) => coming.push(item), left.signal).finally(() => coming.close());
  // It is awaited below, unless the reader leaves: then its failure is ignored.
  working.catch(() => undefined);
  let isOver = false;
  try {
    for (let items = await coming.next(); items; items = await coming.next()) yield* items;
    isOver = true;
    return await working;
  } finally {
    outer?.removeEventListener('abort', onAbort);
    if (!isOver) left.abort(new CancelledError('The result is no longer waited for.'));
  }
}
