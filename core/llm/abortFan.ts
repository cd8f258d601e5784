/** Calls `stop` with the signal's reason when it aborts, at once if it has. The result takes the call back. */
export type Follow = (signal: AbortSignal | undefined, stop: (reason: unknown) => void) => () => void;

/**
 * Follows signals with a single listener each, however many calls share one: a signal with more than ten listeners is
 * reported as a leak by Node, and a thousand calls under one signal are ordinary here.
 */
export function createAbortFan(): Follow {
  const followers = new WeakMap<AbortSignal, { readonly stops: Set<(reason: unknown) => void>; readonly listener: () => void }>();

  return (signal, stop) => {
    if (signal === undefined) return () => undefined;
    if (signal.aborted) {
      stop(signal.reason);
      return () => undefined;
    }
    const known = followers.get(signal);
    const stops = known?.stops ?? new Set();
    const listener =
      known?.listener ??
      (() => {
        followers.delete(signal);
        for (const each of [...stops]) each(signal.reason);
      });
    if (known === undefined) {
      followers.set(signal, { stops, listener });
      signal.addEventListener('abort', listener, { once: true });
    }
    stops.add(stop);
    return () => {
      if (!stops.delete(stop) || stops.size > 0) return;
      signal.removeEventListener('abort', listener);
      if (followers.get(signal)?.stops === stops) followers.delete(signal);
    };
  };
}
