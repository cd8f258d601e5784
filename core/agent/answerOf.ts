import type { Json } from '../json.js';
import type { RunResult } from './events.js';

/** What a run gives to whatever goes on with it: its output, or where its agent has no output_schema, its text; null for nothing. */
export function answerOf({ status, output, text }: RunResult): Json {
  return status === 'completed' && output === null && text !== '' ? text : output;
}
