import { loopLimits } from '../../config/loopLimits.js';
import { canonicalJson } from '../../snapshot/canonicalJson.js';
import type { CallResult } from './callTools.js';
import { cut } from './observation.js';

/**
 * Whether a run gets anywhere. A turn is stale when every call in it was made before with the same result, or when it gives an answer that
 * was refused before.
 */
export class Progress {
  /** Stale turns in a row. */
  stale = 0;
  /** Calls that gave another result than before. */
  contradictions = 0;
  readonly #results = new Map<string, Set<string>>();
  readonly #answers = new Set<string>();

  /** A turn of calls and what they gave. */
  results(results: readonly CallResult[]): void {
    // Every result is remembered, so each must be looked at.
    const isNew = results.map((result) => this.#isNew(result)).includes(true);
    this.stale = isNew ? 0 : this.stale + 1;
  }

  /** An answer that was refused, or a reply that could not be read. */
  refused(text: string): void {
    this.stale = this.#answers.has(text) ? this.stale + 1 : 0;
    this.#answers.add(text);
  }

  #isNew({ call, outcome }: CallResult): boolean {
    const key = `${call.name} ${call.input_text ?? canonicalJson(call.input)}`;
    const seen = this.#results.get(key);
    const { content } = outcome;
    const result = `${outcome.is_error ? 'error' : 'result'} ${content.length} ${cut(content, loopLimits.observation)}`;
    if (!seen) {
      this.#results.set(key, new Set([result]));
      return true;
    }
    if (seen.has(result)) return false;
    if (!outcome.is_error && [...seen].some((other) => other.startsWith('result'))) this.contradictions += 1;
    seen.add(result);
    return true;
  }
}
