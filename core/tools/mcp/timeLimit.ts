import type { Clock } from '../../ports.js';
import { McpFailure } from './mcpFailure.js';

export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Longest time, in ms. */
  readonly timeout_ms: number;
  readonly clock: Pick<Clock, 'after'>;
  /** Whether a person is waited for, who gets the whole time again. */
  readonly isPaused?: () => boolean;
}

/**
 * The result of `work`, which is no longer awaited once its time is over or the signal aborts. Its signal aborts too; it is a separate one, since
 * the SDK never removes its listeners.
 *
 * @throws McpFailure `timeout`, the signal's reason, or what `work` throws
 */
export async function withinTime<T>(
  { signal, timeout_ms, clock, isPaused }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  let fail: (error: unknown) => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const abort = () => {
    fail(signal.reason);
    controller.abort('The run no longer needs it.');
  };
  signal.addEventListener('abort', abort, { once: true });
  let cancel: () => void = () => undefined;
  const wait = () => {
    cancel = clock.after(timeout_ms, () => {
      if (isPaused?.()) return wait();
      fail(new McpFailure('timeout', `did not answer within ${timeout_ms} ms`));
      controller.abort(`It took longer than ${timeout_ms} ms.`);
    });
  };
  wait();
  try {
    return await Promise.race([work(controller.signal), over]);
  } finally {
    cancel();
    signal.removeEventListener('abort', abort);
  }
}
