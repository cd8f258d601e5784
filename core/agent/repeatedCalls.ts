import { loopLimits } from '../config/defaults.js';
import type { Json } from '../json.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import { cut } from '../words.js';

/** The outcome of a tool call: a new result, one that the same call had before, or one that contradicts an earlier one. */
export type CallNews = 'new' | 'repeated' | 'contradicts';

/** The calls of a run, by their input. A failure is new the first time, and contradicts nothing. */
export class RepeatedCalls {
  readonly #results = new Map<string, Set<string>>();

  /** @param input as the model wrote it, if that is not JSON */
  add(name: string, input: Json, result: Json, is_error: boolean): CallNews {
    const key = `${name} ${textOfValue(input)}`;
    const before = this.#results.get(key) ?? new Set();
    const text = textOfValue(result);
    const entry = `${is_error ? 'error' : 'result'} ${text.length} ${cut(text, loopLimits.observation)}`;
    if (before.has(entry)) return 'repeated';
    const contradicts = !is_error && [...before].some((earlier) => earlier.startsWith('result'));
    this.#results.set(key, before.add(entry));
    return contradicts ? 'contradicts' : 'new';
  }
}

function textOfValue(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
