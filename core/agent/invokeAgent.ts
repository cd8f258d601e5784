import type { AgentEvent, RunResult } from './events.js';
import { runAgent } from './runAgent.js';
import type { GivenRunRequest } from './types.js';

/** Runs one agent once and returns its result; a failure, a timeout and a cancellation are results too. */
export function invokeAgent(request: GivenRunRequest): Promise<RunResult & ResultAliases> {
  return resultOf(runAgent(request));
}

/** What the source documents call parts of a result: the same values, in memory only, so that a kept result has each once. */
export interface ResultAliases {
  /** `text`. */
  readonly answer: string;
  /** `conversation`. */
  readonly messages: RunResult['conversation'];
}

/** The result at the end of a run's events, which are read to the last. */
export async function resultOf(events: AsyncIterable<AgentEvent>): Promise<RunResult & ResultAliases> {
  let result: RunResult | undefined;
  for await (const event of events) if (event.final) result = event.result;
  if (!result) throw new Error('The run ended without a final event.');
  return withAliases(result);
}

function withAliases(result: RunResult): RunResult & ResultAliases {
  return Object.defineProperties({ ...result }, { answer: { value: result.text }, messages: { value: result.conversation } }) as RunResult &
    ResultAliases;
}
