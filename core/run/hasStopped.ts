import type { RunResult } from '../agent/events.js';

/** Whether a run has not come to its end: it could not be kept, or waits for somebody's answer about a call. So it can go on. */
export function hasStopped(result: Pick<RunResult, 'error'>): boolean {
  return result.error?.code === 'storage' || isUnanswered(result);
}

/** Whether a run stopped at a call of which nobody knows whether it happened. */
export function isUnanswered({ error }: Pick<RunResult, 'error'>): boolean {
  return error?.code === 'denied' && error.details?.unfinished !== undefined;
}
