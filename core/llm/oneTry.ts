import { followSignal } from '../abort.js';
import { LlmError } from '../errors.js';
import type { Clock } from '../ports.js';
import { inWords } from './retry.js';

/** One try of a call, under its own time limit and the caller's signal. */
export interface Try {
  /** Aborted by the caller, by the time limit, or when the try ends before its work is finished. */
  readonly signal: AbortSignal;
  /** The result of `work`, or the signal's reason as soon as the try is stopped, even when `work` ignores the signal. One at a time. */
  guard<T>(work: Promise<T>): Promise<T>;
  /** Cancels the time limit, since the work is finished. */
  done(): void;
  /** Cancels the time limit, and stops unfinished work. */
  end(): void;
}

/**
 * @param limit ms for the whole try, from request to end of the answer
 * @param outer the caller's signal
 */
export function beginTry(clock: Clock, limit: number, outer: AbortSignal | undefined): Try {
  const controller = new AbortController();
  const { signal } = controller;
  let interrupt: ((reason: unknown) => void) | undefined;
  const stop = (reason: unknown): void => {
    controller.abort(reason);
    interrupt?.(reason);
  };
  const unfollow = outer && followSignal(outer, () => stop(outer.reason));
  const cancel = clock.after(limit, () => stop(timeLimit(limit)));
  let isDone = false;

  return {
    signal,
    guard: (work) =>
      new Promise((resolve, reject) => {
        interrupt = reject;
        work.then(resolve, reject);
        if (signal.aborted) reject(signal.reason);
      }),
    done: () => {
      isDone = true;
      cancel();
    },
    end: () => {
      cancel();
      unfollow?.();
      if (!isDone) controller.abort('This try has ended.');
    },
  };
}

function timeLimit(limit: number): LlmError {
  const advice = 'Raise request_timeout_ms for long answers, or request less.';
  return new LlmError('network', `No complete answer came within ${inWords(limit)} (request_timeout_ms). ${advice}`, { recoverable: true });
}
