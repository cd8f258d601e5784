import { CancelledError } from '../errors.js';
import { EventQueue } from './eventQueue.js';

/**
 * Yields what `work` emits, as it comes, and returns what it gives. Whoever leaves in the middle ends the work: its signal aborts, and nobody
 * waits for it. So does `outer`, whose reason is handed on.
 *
 * @throws what `work` throws, once everything it emitted was yielded
 */
export async function* streamed<Item, Value>(
  work: (emit: (item: Item) => void, left: AbortSignal) => Promise<Value>,
  outer?: AbortSignal,
): AsyncGenerator<Item, Value, undefined> {
  const left = new AbortController();
  // One listener costs a fraction of what a signal made of two does.
  const onAbort = () => left.abort(outer?.reason);
  if (outer?.aborted) onAbort();
  outer?.addEventListener('abort', onAbort, { once: true });
  const coming = new EventQueue<Item>();
  const working = work((item) => coming.push(item), left.signal).finally(() => coming.close());
  // It is waited for below, unless the reader leaves: then its failure is nobody's.
  working.catch(() => undefined);
  let isOver = false;
  try {
    for (let items = await coming.next(); items; items = await coming.next()) yield* items;
    isOver = true;
    return await working;
  } finally {
    outer?.removeEventListener('abort', onAbort);
    if (!isOver) left.abort(new CancelledError('Nobody waits for this any more.'));
  }
}
