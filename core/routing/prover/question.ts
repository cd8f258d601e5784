import type { Json } from '../../json.js';
import { isEqual } from '../../jsonText/jsonCompare.js';
import type { OutputContract } from '../../schema/outputContract.js';
import type { Cut, Operator } from '../operators/operator.js';
import type { Patterns } from '../patterns.js';
import type { Domain } from './domain.js';

/** A comparison, shared by all places where it is written. `segments` lead to the field from the variable that holds it. */
export interface Atom {
  readonly segments: readonly string[];
  readonly operator: Operator;
  readonly expected: Json | undefined;
  readonly cut: Cut;
}

/** The questions about a value: `atoms` about itself, `children` about its fields. */
export interface Question {
  readonly atoms: readonly Atom[];
  readonly children: ReadonlyMap<string, Question>;
}

/** Answers that some value might give although none was found: by atom, if they are known. */
export type Guess = ReadonlyMap<Atom, boolean>;

/** Nothing is known. */
export const anyGuess: Guess = new Map();

/**
 * Values that represent all that a field may have: every atom answers each legal value like one of `values`, or it agrees with
 * one of `guesses`. Undefined is a missing field.
 */
export interface Choices {
  readonly values: readonly (Json | undefined)[];
  readonly guesses: readonly Guess[];
  /** `values` are all values, rather than representatives. */
  readonly complete?: true;
}

export interface ChoiceContext {
  readonly contract: OutputContract;
  /** Whether a value fits a schema of the contract; undefined if only a compiler can decide and there is none, or it rejects the schema. */
  readonly fits: (schema: Json, value: Json) => boolean | undefined;
  /** The values that a schema of the contract allows, computed once. */
  readonly domain: (schema: Json) => Domain;
  readonly patterns: Patterns | undefined;
}

/** The same, with what the choices for single types need. */
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
