/** The result of `work`, or the signal's reason as soon as it aborts, even when `work` does not listen to it. */
export function stoppable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // A signal of its own for each call: Node reports many listeners on one signal as a leak.
  const own = AbortSignal.any([signal]);
  return new Promise((resolve, reject) => {
    const stop = () => reject(own.reason);
    if (own.aborted) stop();
    own.addEventListener('abort', stop);
    void work.then(resolve, reject).finally(() => own.removeEventListener('abort', stop));
  });
}
