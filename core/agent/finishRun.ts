import type { LogLevel, MaybePromise } from '../ports.js';
import type { AgentEvent, FinalEvent, RunResult } from './events.js';

export interface FinishRequest {
  readonly record: {
    log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>>): void;
    storageFailed(cause: unknown): void;
    finalEvent(seq?: number): FinalEvent;
  };
  readonly store: { event(event: AgentEvent): MaybePromise<void>; end(result: RunResult): MaybePromise<void> } | undefined;
}

/** Logs and keeps the end of a run. @returns the event that tells it */
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
    // What the run gave was paid for: it is handed on even when it could not be kept, and the result says that it was not.
    record.storageFailed(storageError);
    return record.finalEvent(final.seq);
  }
}
