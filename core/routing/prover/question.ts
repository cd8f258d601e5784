import type { Json } from '../../json.js';
import { isEqual } from '../../jsonText/jsonCompare.js';
import type { OutputContract } from '../../schema/outputContract.js';
import type { Cut, Operator } from '../operators/operator.js';
import type { Patterns } from '../patterns.js';
import type { Domain } from './domain.js';

/** A comparison, the same for every place it is written in. `segments` lead to the field from the variable that holds it. */
export interface Atom {
  readonly segments: readonly string[];
  readonly operator: Operator;
  readonly expected: Json | undefined;
  readonly cut: Cut;
}

/** What is asked about a value: by `atoms` about itself, by `children` about its fields. */
export interface Question {
  readonly atoms: readonly Atom[];
  readonly children: ReadonlyMap<string, Question>;
}

/** Answers that some value might give though none was found: by atom, where they are known. */
export type Guess = ReadonlyMap<Atom, boolean>;

/** Nothing is known. */
export const anyGuess: Guess = new Map();

/**
 * Values that stand for all a field may have: each legal value is answered by every atom as one of `values`, or agrees with
 * one of `guesses`. Undefined is a missing field.
 */
export interface Choices {
  readonly values: readonly (Json | undefined)[];
  readonly guesses: readonly Guess[];
  /** `values` are all there are, rather than some that stand for others. */
  readonly complete?: true;
}

export interface ChoiceContext {
  readonly contract: OutputContract;
  /** Whether a value fits a schema of the contract; undefined when only a compiler can tell and there is none, or it refuses the schema. */
  readonly fits: (schema: Json, value: Json) => boolean | undefined;
  /** What a schema of the contract allows, worked out once. */
  readonly domain: (schema: Json) => Domain;
  readonly patterns: Patterns | undefined;
}

/** Same, with what the rooms for single types need. */
export interface Chooser extends ChoiceContext {
  readonly choose: (question: Question, schema: Json, mayMiss: boolean) => Choices;
}

export const noQuestion: Question = { atoms: [], children: new Map() };

/** Values the question's own atoms compare with as wholes. */
export function landmarksOf({ atoms }: Question): readonly Json[] {
  const landmarks: Json[] = [];
  for (const { cut } of atoms) {
    if (cut.named !== undefined) for (const { value } of cut.named) landmarks.push(value);
    if (cut.values !== undefined) landmarks.push(...cut.values);
  }
  return landmarks;
}

export function isLandmark(value: Json, landmarks: readonly Json[]): boolean {
  return landmarks.some((landmark) => isEqual(landmark, value));
}
