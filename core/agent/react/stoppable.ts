import { followSignal } from '../../followSignal.js';

/** The result of `work`, or the signal's reason as soon as it aborts, even when `work` does not listen to it. */
export function stoppable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unfollow = followSignal(signal, () => reject(signal.reason));
    void work.then(resolve, reject).finally(unfollow);
  });
}
