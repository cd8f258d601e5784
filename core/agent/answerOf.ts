import type { Json } from '../json.js';
import type { RunResult } from './events.js';

/** What a run answered, for whatever goes on with it: its output, or its text where the agent has no output_schema; null for nothing. */
export function answerOf({ output, text }: RunResult): Json {
  return output ?? (text === '' ? null : text);
}
