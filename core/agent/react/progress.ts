import { RepeatedCalls } from '../repeatedCalls.js';
import type { CallResult } from './callTools.js';

/**
 * Whether a run makes progress. A turn is stale if all its calls were made before with the same results, or if its answer was refused before.
 */
export class Progress {
  /** Stale turns in a row. */
  stale = 0;
  /** Number of calls with a different result than before. */
  contradictions = 0;
  readonly #calls = new RepeatedCalls();
  readonly #answers = new Set<string>();

  /** A turn of calls with their results. */
  results(results: readonly CallResult[]): void {
    let isNew = false;
    for (const { call, outcome } of results) {
      const news = this.#calls.add(call.name, call.input_text ?? call.input, outcome.content, outcome.is_error);
      if (news !== 'repeated') isNew = true;
      if (news === 'contradicts') this.contradictions += 1;
    }
    this.stale = isNew ? 0 : this.stale + 1;
  }

  /** An answer that was refused, or a reply that could not be read. */
  refused(text: string): void {
    this.stale = this.#answers.has(text) ? this.stale + 1 : 0;
    this.#answers.add(text);
  }
}
