import type { RunResult } from '../agent/events.js';

/** Whether a run stopped before its end and can be resumed: it could not be stored, or a person has to decide about a call. */
export function hasStopped(result: Pick<RunResult, 'status' | 'error'>): boolean {
  return result.status !== 'partial' && (result.error?.code === 'storage' || isUnanswered(result));
}

/** Whether a run stopped at a call of which it is unknown whether it happened. */
export function isUnanswered({ error }: Pick<RunResult, 'error'>): boolean {
  return error?.code === 'denied' && error.details?.unfinished !== undefined;
}
