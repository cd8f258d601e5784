import type { JsonObject } from '../../../core/json.js';
import { numberAt, objectAt, objectsAt, ownAt } from '../../../core/run/untrusted.js';
import type { ViewReason } from './messages.js';

/** What a run had along the way, counted in its events. */
export interface RunCounts {
  readonly calls: number;
  readonly failedCalls: number;
  /** Answers that the model was asked to correct. */
  readonly rejected: number;
}

/** What the confidence of a run was made of (docs/loops.md has the formula): the model's own word where it gave one, else what moved it. */
export function confidenceReasons(result: JsonObject, { calls, failedCalls, rejected }: RunCounts): readonly ViewReason[] {
  const own = numberAt(objectAt(result, 'output'), 'confidence');
  if (own !== null && 0 <= own && own <= 1) return [{ word: 'reasonOwn', count: 1 }];
  const metadata = objectAt(result, 'metadata');
  const iterations = numberAt(metadata, 'iterations') ?? 0;
  const reasons: readonly ViewReason[] = [
    { word: 'reasonIterations', count: iterations > 1 || calls > 0 ? iterations : 0 },
    { word: 'reasonCalls', count: calls - failedCalls },
    { word: 'reasonFailed', count: failedCalls },
    { word: 'reasonContradictions', count: contradictionsIn(result) },
    { word: 'reasonRejected', count: rejected },
    { word: 'reasonRepairs', count: objectsAt(metadata, 'repairs').length },
  ];
  return reasons.filter(({ count }) => count > 0);
}

/** Calls that were made again with the same input and gave another result. */
function contradictionsIn(result: JsonObject): number {
  const seen = new Map<string, string>();
  let found = 0;
  for (const step of objectsAt(objectAt(result, 'reasoning'), 'steps')) {
    const action = objectAt(step, 'action');
    if (Object.keys(action).length === 0) continue;
    const key = JSON.stringify([ownAt(action, 'tool') ?? null, ownAt(action, 'input') ?? null]);
    const output = JSON.stringify(ownAt(action, 'output') ?? null);
    if (seen.has(key) && seen.get(key) !== output) found += 1;
    seen.set(key, output);
  }
  return found;
}
