import type { JsonObject } from '../../../core/json.js';
import { numberAt, objectAt, objectsAt, ownAt } from '../../../core/run/untrusted.js';
import type { ViewReason } from './messages.js';

/** What moved the confidence of a run up or down, counted in what the run keeps; none for a run that says no confidence. */
export function confidenceReasons(
  result: JsonObject,
  counts: { readonly failedCalls: number; readonly calls: number },
): readonly ViewReason[] {
  const metadata = objectAt(result, 'metadata');
  const repairs = objectsAt(metadata, 'repairs').length;
  const reasons: ViewReason[] = [
    { word: 'reasonIterations', count: numberAt(metadata, 'iterations') ?? 0 },
    { word: 'reasonCalls', count: counts.calls - counts.failedCalls },
    { word: 'reasonFailed', count: counts.failedCalls },
    { word: 'reasonRepairs', count: repairs },
  ];
  const contradictions = contradictionsIn(result);
  if (contradictions > 0) reasons.push({ word: 'reasonContradictions', count: contradictions });
  return reasons.filter(({ word, count }) => count > 0 && !(word === 'reasonIterations' && counts.calls === 0));
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
