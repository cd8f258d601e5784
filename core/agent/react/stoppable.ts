import type { Follow } from '../../llm/abortFan.js';

/** The result of `work`, or the signal's reason as soon as it aborts, even when `work` does not listen to it. */
export function stoppable<T>(work: Promise<T>, signal: AbortSignal, follow: Follow): Promise<T> {
  return new Promise((resolve, reject) => {
    const unfollow = follow(signal, reject);
    work.then(
      (value) => {
        unfollow();
        resolve(value);
      },
      (error: unknown) => {
        unfollow();
        reject(error);
      },
    );
  });
}
