/** The result of `work`, or the signal's reason as soon as it aborts, even if `work` ignores it or others wait for it too. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const unfollow = followSignal(signal, () => reject(signal.reason));
    void work.then(resolve, reject).finally(unfollow);
  });
}

/** The followers of a signal, and its only listener. */
interface Followers {
  readonly acts: Set<() => void>;
  readonly listener: () => void;
}

const followers = new WeakMap<AbortSignal, Followers>();

/**
 * Calls `act` once the signal aborts, immediately if it already has, until the returned function is called. A signal has one listener for all its
 * followers: Node reports more than ten as a leak, and a combined signal (`AbortSignal.any`) costs several times as much.
 */
export function followSignal(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => undefined;
  }
  const { acts, listener } = followers.get(signal) ?? listen(signal);
  // A new function, since several followers may pass the same one.
  const follower = () => act();
  acts.add(follower);
  return () => {
    if (!acts.delete(follower) || acts.size > 0) return;
    signal.removeEventListener('abort', listener);
    followers.delete(signal);
  };
}

function listen(signal: AbortSignal): Followers {
  const acts = new Set<() => void>();
  const listener = () => {
    for (const act of [...acts]) act();
  };
  const listening = { acts, listener };
  signal.addEventListener('abort', listener, { once: true });
  followers.set(signal, listening);
  return listening;
}

/** A controller that aborts with the signal, for the same reason, or by itself. The signal keeps a reference to it. */
export function followingController(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  followSignal(signal, () => controller.abort(signal.reason));
  return controller;
}
