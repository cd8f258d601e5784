import { CancelledError } from '../errors.js';

/** Lets a run end when its caller's signal aborts. Returns what stops following it, which ends with the run. */
export function followCaller(over: AbortController, signal: AbortSignal | undefined): () => void {
  // A signal of this run alone: hundreds of runs may share the caller's, and Node takes that many listeners for a leak.
  const cancelled = signal && AbortSignal.any([signal]);
  const onAbort = () => over.abort(new CancelledError('The run was cancelled.', { cause: cancelled?.reason }));
  if (cancelled?.aborted) onAbort();
  cancelled?.addEventListener('abort', onAbort, { once: true });
  return () => cancelled?.removeEventListener('abort', onAbort);
}
