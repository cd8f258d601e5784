import { isObject, type Json } from '../json.js';
import { capitalized, plural, shorten } from '../words.js';
import type { RunResult } from './events.js';

export interface DecisionFacts {
  readonly status: RunResult['status'];
  /** Code of the error that ended the run; null for none. */
  readonly error: string | null;
  /** Model calls that were answered. */
  readonly turns: number;
  /** Called tools, in the order of first use. */
  readonly tools: ReadonlyMap<string, ToolCount>;
  /** Answers that were refused, or could not be read. */
  readonly rejected: number;
  /** Steps that a plan skipped. */
  readonly plan?: { readonly skipped: number } | undefined;
}

export interface ToolCount {
  readonly calls: number;
  readonly failed: number;
}

/** Most tools to name; the others are only counted. */
const mostNamed = 10;
/** Of a name, in UTF-16 units, since a model may make up any. */
const longestName = 64;

/** How a run ended, in one sentence: its tool calls, its failures and its outcome. */
export function decisionOf({ status, error, turns, tools, rejected, plan }: DecisionFacts): string {
  const namedTools = [...tools].slice(0, mostNamed).map(([name, count]) => `${shorten(name, longestName)} (${inWords(count)})`);
  const unnamedCount = tools.size - namedTools.length;
  if (unnamedCount > 0) namedTools.push(plural(unnamedCount, 'other tool'));
  const refused = rejected > 0 ? `, after ${plural(rejected, 'answer')} that did not fit` : '';
  const end = `${plan ? endOfPlan(status, error, plan.skipped) : endOf(status, error, turns)}${refused}.`;
  if (namedTools.length > 0) return `Called ${listed(namedTools)}; ${end}`;
  return capitalized(end);
}

function endOf(status: RunResult['status'], error: string | null, turns: number): string {
  if (status === 'completed') return turns <= 1 ? 'answered at once' : `answered in turn ${turns}`;
  const end = status === 'cancelled' ? 'was cancelled' : `ended with ${error ?? 'an error'}`;
  return turns === 0 ? `${end} before the model had answered` : `${end} after ${plural(turns, 'turn')}`;
}

function endOfPlan(status: RunResult['status'], error: string | null, skipped: number): string {
  const steps = skipped === 0 ? '' : `, ${plural(skipped, 'step')} skipped`;
  if (status === 'completed') return `came to the end of its plan${steps}`;
  return `${status === 'cancelled' ? 'was cancelled' : `ended with ${error ?? 'an error'}`} before the end of its plan${steps}`;
}

function inWords({ calls, failed }: ToolCount): string {
  return failed === 0 ? plural(calls, 'call') : `${plural(calls, 'call')}, ${failed} failed`;
}

function listed(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** The course of a completed run. */
export interface RunCourse {
  /** Model calls that were answered, at least 1. */
  readonly iterations: number;
  readonly maxIterations: number;
  /** Tool calls, and how many of them failed. */
  readonly calls: number;
  readonly failed: number;
  /** Repeated calls with a different result. */
  readonly contradictions: number;
  /** Answers the output schema refused, or that could not be read. */
  readonly rejected: number;
  /** Repairs made to read the answer. */
  readonly repairs: number;
}

/**
 * How smoothly a completed run reached its answer, 0 to 1, rounded to two decimals. It says nothing about the answer itself:
 *
 *     pace * success * form - 0.1 * (contradictions + rejected), at least 0.1
 *
 * where `pace` falls from 1 (answered in the first turn) to 0.7 (in the last one allowed), `success` from 1 to 0.6 (every tool call failed),
 * and `form` is 1 less 0.1 for each repair, at least 0.5.
 */
export function smoothnessOf({ iterations, maxIterations, calls, failed, contradictions, rejected, repairs }: RunCourse): number {
  const pace = 1 - 0.3 * Math.min(1, Math.max(0, iterations - 1) / Math.max(1, maxIterations - 1));
  const success = calls === 0 ? 1 : 1 - 0.4 * (failed / calls);
  const form = Math.max(0.5, 1 - 0.1 * repairs);
  const sum = pace * success * form - 0.1 * (contradictions + rejected);
  return Math.round(100 * Math.max(0.1, sum)) / 100;
}

/** The model's own `confidence` in its output, 0 to 1; undefined if there is none in that range. */
export function statedConfidence(output: Json): number | undefined {
  const stated = isObject(output) && Object.hasOwn(output, 'confidence') ? output.confidence : undefined;
  return typeof stated === 'number' && 0 <= stated && stated <= 1 ? stated : undefined;
}
