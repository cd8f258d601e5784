import type { JsonObject } from '../../../core/json.js';
import { numberAt, objectAt, objectsAt, ownAt, textAt } from '../../../core/run/untrusted.js';
import type { ViewFacts, ViewReason } from './messages.js';

/** What a run had along the way, counted in its events. */
export interface RunCounts {
  readonly calls: number;
  readonly failedCalls: number;
  /** Calls that gave another result than before. */
  readonly contradictions: number;
  /** Answers that the model was asked to correct. */
  readonly rejected: number;
}

/**
 * How smoothly a run went, with its counts (docs/loops.md has the formula). Null when the model states its own confidence: a second number beside
 * it would be taken for another statement about the answer.
 */
export function smoothnessOf(result: JsonObject, { calls, failedCalls, contradictions, rejected }: RunCounts): ViewFacts['smoothness'] {
  const reasoning = objectAt(result, 'reasoning');
  // Runs of earlier versions have the number as their confidence alone.
  const value = numberAt(reasoning, 'smoothness') ?? numberAt(reasoning, 'confidence');
  const isStated = Object.keys(objectAt(result, 'output')).some((name) => /confidence|certainty/i.test(name));
  if (value === null || isStated) return null;
  const metadata = objectAt(result, 'metadata');
  const iterations = numberAt(metadata, 'iterations') ?? 0;
  const reasons: readonly ViewReason[] = [
    { word: 'reasonIterations', count: iterations > 1 || calls > 0 ? iterations : 0 },
    { word: 'reasonCalls', count: calls - failedCalls },
    { word: 'reasonFailed', count: failedCalls },
    { word: 'reasonContradictions', count: contradictions },
    { word: 'reasonRejected', count: rejected },
    { word: 'reasonRepairs', count: objectsAt(metadata, 'repairs').length },
  ];
  return { value, reasons: reasons.filter(({ count }) => count > 0) };
}

/** Counts, event by event, the calls that were made again with the same input and gave another result; failures are no results. */
export class Contradictions {
  count = 0;
  /** What was asked, by the id of the call. */
  readonly #asked = new Map<string, string>();
  /** What each call gave so far. */
  readonly #given = new Map<string, Set<string>>();

  take(event: JsonObject): void {
    for (const call of objectsAt(event, 'tool_calls')) {
      this.#asked.set(textAt(call, 'id') ?? '', JSON.stringify([textAt(call, 'name'), ownAt(call, 'input') ?? null]));
    }
    for (const answer of objectsAt(event, 'tool_results')) {
      const asked = this.#asked.get(textAt(answer, 'id') ?? '');
      if (asked === undefined || ownAt(answer, 'is_error') === true) continue;
      const given = this.#given.get(asked) ?? new Set();
      const result = JSON.stringify(ownAt(answer, 'output') ?? null);
      if (given.size > 0 && !given.has(result)) this.count += 1;
      this.#given.set(asked, given.add(result));
    }
  }
}
