import type { AgentEvent, RunResult } from './events.js';
import { runAgent } from './runAgent.js';
import type { RunRequest } from './types.js';

/** Runs one agent once and returns its result; a failure, a timeout and a cancellation are results too. */
export function invokeAgent(request: RunRequest): Promise<RunResult> {
  return resultOf(runAgent(request));
}

/** The result at the end of a run's events, which are read to the last. */
export async function resultOf(events: AsyncIterable<AgentEvent>): Promise<RunResult> {
  let result: RunResult | undefined;
  for await (const event of events) if (event.final) result = event.result;
  if (!result) throw new Error('The run ended without a final event.');
  return result;
}
