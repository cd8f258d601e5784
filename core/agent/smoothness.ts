import { isObject, type Json } from '../json.js';

/** What a completed run took to come to its answer. */
export interface RunCourse {
  /** Model calls that were answered, 1 at least. */
  readonly iterations: number;
  readonly maxIterations: number;
  /** Tool calls, and how many of them failed. */
  readonly calls: number;
  readonly failed: number;
  /** Calls that gave a different result when they were made again. */
  readonly contradictions: number;
  /** Answers the output schema refused, or that could not be read. */
  readonly rejected: number;
  /** Repairs made to read the answer. */
  readonly repairs: number;
}

/**
 * How smoothly a completed run came to its answer, 0 to 1, rounded to two decimals. It says nothing about the answer itself:
 *
 *     pace * success * form - 0.1 * (contradictions + rejected), at least 0.1
 *
 * where `pace` goes from 1 (answered in the first turn) to 0.7 (in the last one allowed), `success` from 0.6 (every tool call failed) to 1,
 * and `form` is 1 less 0.1 for each repair, at least 0.5.
 */
export function smoothnessOf({ iterations, maxIterations, calls, failed, contradictions, rejected, repairs }: RunCourse): number {
  const pace = 1 - 0.3 * Math.min(1, Math.max(0, iterations - 1) / Math.max(1, maxIterations - 1));
  const success = calls === 0 ? 1 : 1 - 0.4 * (failed / calls);
  const form = Math.max(0.5, 1 - 0.1 * repairs);
  const sum = pace * success * form - 0.1 * (contradictions + rejected);
  return Math.round(100 * Math.max(0.1, sum)) / 100;
}

/** The model's own numeric `confidence` of its output, 0 to 1; undefined where it has none in that range. */
export function statedConfidence(output: Json): number | undefined {
  const own = isObject(output) && Object.hasOwn(output, 'confidence') ? output.confidence : undefined;
  return typeof own === 'number' && 0 <= own && own <= 1 ? own : undefined;
}
