import type { Json } from '../json.js';
import type { RunResult } from './events.js';

/** The value that later steps get from a run: its output, or its text where the agent has no output_schema; null for nothing. */
export function answerOf({ status, output, text }: RunResult): Json {
  return status === 'completed' && output === null && text !== '' ? text : output;
}
