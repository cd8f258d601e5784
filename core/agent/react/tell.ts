import type { TracedCall } from '../runTrace.js';
import type { CallResult } from './callTools.js';
import { describeOutcome, shareOut } from './observation.js';
import type { Progress } from './progress.js';
import type { ToldResult } from './protocol.js';

/** What the model should know beside results and corrections: that it goes in a circle (once), and that its turns run out. */
export function adviceFor({ stale }: Progress, isLastButOne: boolean): readonly string[] {
  const advice: string[] = [];
  if (stale === 1) advice.push('You have done exactly this before, and nothing new came of it. Do something else, or give the answer.');
  if (isLastButOne) advice.push('One turn is left: give the answer now, and call no tool.');
  return advice;
}

/**
 * What the model is told of the results of a turn.
 *
 * @param limit characters of all results together; the advice, which goes with the last one, comes on top
 */
export function toTold(results: readonly CallResult[], limit: number, advice: readonly string[]): readonly ToldResult[] {
  const texts = shareOut(
    results.map(({ outcome, isReused = false }) => describeOutcome(outcome, { isReused })),
    limit,
  );
  const last = results.length - 1;
  return results.map(({ call, outcome }, index) => ({
    call,
    text: [texts[index] ?? '', ...(index === last ? advice : [])].join('\n\n'),
    is_error: outcome.is_error,
  }));
}

/** The results of a turn as the trace keeps them. */
export function toTraced(results: readonly CallResult[], told: readonly ToldResult[]): readonly TracedCall[] {
  return results.map(({ call, input, outcome: { value, is_error, hints, documents } }, index) => ({
    id: call.id,
    tool: call.name,
    input: call.input_text === undefined || Object.keys(input).length > 0 ? input : call.input_text,
    output: value,
    observation: told[index]?.text ?? '',
    is_error,
    source_quality: hints.source_quality,
    documents,
  }));
}
