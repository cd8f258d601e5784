import { followSignal } from '../abort.js';
import { CancelledError } from '../errors.js';
import type { Clock, LogLevel, MaybePromise } from '../ports.js';
import type { AgentEvent, FinalEvent, RunContext, RunResult } from './events.js';

/** Cancels a run when its caller's signal aborts. Returns a function that stops following the signal, called when the run ends. */
export function followCaller(over: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => undefined;
  return followSignal(signal, () => over.abort(new CancelledError('The run was cancelled.', { cause: signal.reason })));
}

/** The time for events (ISO 8601). Events come in bursts, and formatting a date costs more than the rest of one. */
export function createEventTime(clock: Pick<Clock, 'now'>): () => string {
  let lastNow = Number.NaN;
  let lastTime = '';
  return () => {
    const now = clock.now();
    if (now !== lastNow) {
      lastNow = now;
      lastTime = new Date(now).toISOString();
    }
    return lastTime;
  };
}

/** The fields in every log line that identify its run. */
export function logFields(
  run_id: string,
  { trace_id, correlation_id, user_id, session_id }: RunContext,
): Readonly<Record<string, unknown>> {
  return {
    run_id,
    trace_id,
    correlation_id,
    ...(user_id !== undefined && { user_id }),
    ...(session_id !== undefined && { session_id }),
  };
}

/**
 * Stores an event. An event that could not be stored is yielded nevertheless: it has happened, and its number is taken.
 *
 * @returns what the store threw, to be thrown after the event has been yielded
 */
export async function storeEvent<Event>(
  event: Event,
  store: { event(event: Event): Promise<void> | void },
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await store.event(event);
    return undefined;
  } catch (error) {
    return { error };
  }
}

interface FinishRequest {
  readonly record: {
    log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
    storageFailed(cause: unknown): void;
    finalEvent(seq?: number): FinalEvent;
  };
  readonly store: { event(event: AgentEvent): MaybePromise<void>; end(result: RunResult): MaybePromise<void> } | undefined;
}

/** Logs and stores the end of a run. @returns the event that reports it */
export async function finishRun({ record, store }: FinishRequest, final: FinalEvent): Promise<FinalEvent> {
  const { status, error, metadata } = final.result;
  record.log(status === 'failed' || status === 'partial' ? 'warn' : 'info', `run ${status}`, {
    execution_time_ms: metadata.execution_time_ms,
    iterations: metadata.iterations,
    total_tokens: metadata.token_usage.total_tokens,
    estimated_cost_usd: metadata.estimated_cost_usd,
    error: error?.code ?? null,
  });
  if (!store) return final;
  try {
    await store.event(final);
    await store.end(final.result);
    return final;
  } catch (storageError) {
    // The result was paid for, so it is returned even if it could not be stored, and says so.
    record.storageFailed(storageError);
    return record.finalEvent(final.seq);
  }
}
