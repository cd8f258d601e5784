import type { RunContext } from './events.js';

/** What every line of the log says about the run it is of. */
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
