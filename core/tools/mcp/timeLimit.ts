import type { Clock } from '../../ports.js';
import { McpFailure } from './mcpFailure.js';

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Longest time, in ms. */
  readonly timeout_ms: number;
  readonly clock: Pick<Clock, 'after'>;
}

/**
 * The result of `work`, which is no longer awaited when its time is over or the signal is aborted. Work that ends on its signal is told so; the
 * signal is its own, since the SDK never lets go of one.
 *
 * @throws McpFailure `timeout`, the signal's reason, or what `work` throws
 */
export async function withinTime<T>({ signal, timeout_ms, clock }: TimeLimit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  let give: (error: unknown) => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    give = reject;
  });
  const abort = () => {
    give(signal.reason);
    own.abort('The run no longer needs it.');
  };
  signal.addEventListener('abort', abort, { once: true });
  const cancel = clock.after(timeout_ms, () => {
    give(new McpFailure('timeout', `did not answer within ${timeout_ms} ms`));
    own.abort(`It took longer than ${timeout_ms} ms.`);
  });
  try {
    return await Promise.race([work(own.signal), over]);
  } finally {
    cancel();
    signal.removeEventListener('abort', abort);
  }
}
