import type { RunResult } from '../../agent/events.js';
import type { Subject } from '../types.js';
import { textOf } from './textOf.js';

/** Undefined where it is not known. */
type Measure = (result: RunResult) => number | undefined;

/** Every measure, in the order of the schema. */
export const measures: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  ['cost_usd', ({ metadata }) => (metadata.token_usage_incomplete ? undefined : (metadata.estimated_cost_usd ?? undefined))],
  ['latency_ms', ({ metadata }) => metadata.execution_time_ms],
  ['input_tokens', ({ metadata }) => (metadata.token_usage_incomplete ? undefined : metadata.token_usage.prompt_tokens)],
  ['output_tokens', ({ metadata }) => (metadata.token_usage_incomplete ? undefined : metadata.token_usage.completion_tokens)],
  ['model_calls', ({ metadata }) => metadata.iterations],
  ['steps', ({ reasoning }) => reasoning.steps.length],
  ['confidence', ({ reasoning }) => reasoning.confidence],
]);

/** What a run took. */
export const measure: Subject = {
  key: 'measure',
  actual(entry, { result }) {
    const name = textOf(entry, 'measure');
    const value = measures.get(name)?.(result);
    return value === undefined ? { unknown: `${name} of this run is not known.` } : { value };
  },
  words: (entry) => textOf(entry, 'measure'),
};
