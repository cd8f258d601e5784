import { groupBy } from '../groupBy.js';
import type { JsonObject } from '../json.js';
import { coverValue } from '../secrets/coverValue.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import { describeDifferences } from './describeDifferences.js';

/** Recorded answers to calls with the same name and input, each used once, in the order of the record. */
export class Answers<Answer extends { readonly name: string; readonly input: JsonObject }> {
  readonly #byCall: ReadonlyMap<string, Answer[]>;
  readonly #all: readonly Answer[];

  constructor(answers: readonly Answer[]) {
    this.#all = answers;
    this.#byCall = groupBy(answers, ({ name, input }) => keyOf(name, input));
  }

  take(name: string, input: JsonObject): Answer | undefined {
    return this.#of(name, input)?.shift();
  }

  has(name: string, input: JsonObject): boolean {
    return (this.#of(name, input)?.length ?? 0) > 0;
  }

  /** A secret that was masked in the record may be unmasked in the input now: its key may be missing here. */
  #of(name: string, unmasked: JsonObject): Answer[] | undefined {
    const input = coverValue(unmasked);
    const same = this.#byCall.get(keyOf(name, input));
    if (same) return same;
    const isSame = (answer: Answer | undefined) => answer?.name === name && describeDifferences(answer.input, input).length === 0;
    return [...this.#byCall.values()].find(([first]) => isSame(first));
  }

  /** An unused answer for that name. */
  nearest(name: string): Answer | undefined {
    const unused = new Set([...this.#byCall.values()].flat());
    return this.#all.find((answer) => answer.name === name && unused.has(answer));
  }
}

function keyOf(name: string, input: JsonObject): string {
  return `${name} ${canonicalJson(input)}`;
}
