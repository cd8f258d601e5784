import { followSignal } from '../abort.js';
import { CancelledError } from '../errors.js';

/** Lets a run end when its caller's signal aborts. Returns what stops following it, which ends with the run. */
export function followCaller(over: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => undefined;
  return followSignal(signal, () => over.abort(new CancelledError('The run was cancelled.', { cause: signal.reason })));
}
