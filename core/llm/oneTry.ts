import { LlmError } from '../errors.js';
import type { Clock } from '../ports.js';
import type { Follow } from './abortFan.js';
import { inWords } from './retry.js';

/** One try of a call, under its own time limit and the caller's signal. */
export interface Try {
  /** Aborted by the caller, by the time limit, or when the try has ended with something still going on. */
  readonly signal: AbortSignal;
  /** The result of `work`, or the reason of whatever stops the try first, even when `work` does not listen to the signal. One at a time. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Takes the time limit back: all is done, nothing is going on any more. */
  done(): void;
  /** The same, and stops whatever is still going on. */
  end(): void;
}

const over = 'This try has ended.';

/**
 * @param limit ms for the whole try, from request to end of the answer
 * @param outer the caller's signal
 */
export function beginTry(clock: Clock, limit: number, follow: Follow, outer: AbortSignal | undefined): Try {
  const controller = new AbortController();
  let stopped: { readonly reason: unknown } | undefined;
  let interrupt: ((reason: unknown) => void) | undefined;

  const stop = (reason: unknown): void => {
    if (stopped !== undefined) return;
    stopped = { reason };
    controller.abort(reason);
    interrupt?.(reason);
  };
  const unfollow = follow(outer, stop);
  const cancel = clock.after(limit, () => stop(timeLimit(limit)));
  let isDone = false;
  const done = (): void => {
    isDone = true;
    cancel();
    unfollow();
  };

  return {
    signal: controller.signal,
    guard: (work) =>
      new Promise((resolve, reject) => {
        interrupt = reject;
        work.then(resolve, reject);
        if (stopped !== undefined) reject(stopped.reason);
      }),
    done,
    end: () => {
      if (isDone) return;
      done();
      stopped ??= { reason: over };
      controller.abort(over);
    },
  };
}

function timeLimit(limit: number): LlmError {
  const advice = 'Raise request_timeout_ms for long answers, or ask for less.';
  return new LlmError('network', `No complete answer came within ${inWords(limit)} (request_timeout_ms). ${advice}`, { recoverable: true });
}
