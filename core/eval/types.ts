import type { RunResult } from '../agent/events.js';
import type { Json, JsonObject } from '../json.js';
import type { Patterns } from '../routing/patterns.js';

/** `unknown`: it could not be run or measured, which is never a failure of the agent. */
export type Outcome = 'passed' | 'failed' | 'unknown';

/** The input of grading. */
export interface GradedRun {
  readonly result: RunResult;
  /** The example answer of the case, with which an expectation without `value` compares. */
  readonly expected?: Json | undefined;
  /** Results of the judges by reference, as written (`QualityJudge@v1`). A judge that was not run is missing. */
  readonly judges?: ReadonlyMap<string, RunResult> | undefined;
  /** Required for expectations with `matches`. */
  readonly patterns?: Patterns | undefined;
}

/** The actual value of a subject. */
export type Actual =
  | {
      readonly value: Json | undefined;
      /** A sentence: why the value is missing, if the run says so. */
      readonly because?: string | undefined;
    }
  /** A sentence for the report. */
  | { readonly unknown: string };

/** A subject of expectations, such as a field of the answer. */
export interface Subject {
  /** The key that selects this subject. */
  readonly key: string;
  /** @param entry the expectation; it has `key`, and fits the schema unless the file is invalid */
  actual(entry: JsonObject, run: GradedRun): Actual;
  /** The corresponding part of an example answer; absent if the subject is not part of an answer. */
  example?(entry: JsonObject, expected: Json): Json | undefined;
  /** Its name in reports: `tone`, `calls of search_files`. */
  words(entry: JsonObject): string;
}

/** The verdict on one entry of `expect`. */
export interface GradedExpectation {
  /** JSON pointer below `expect`: `/2`. */
  readonly pointer: string;
  readonly outcome: Outcome;
  /** A sentence: why it did not pass; empty if it did. */
  readonly reason: string;
  /** The actual value, if a comparison of two values failed. */
  readonly actual?: Json | undefined;
  /** The value it was compared with. */
  readonly wanted?: Json | undefined;
}

/** The verdict on one run, of a case or of one of its turns. */
export interface GradedTurn {
  readonly outcome: Outcome;
  /** A sentence: the error of the run, if it did not pass. Reports show it before any expectation. */
  readonly cause?: string;
  readonly expectations: readonly GradedExpectation[];
}

/** The verdict on one repeat of a case. */
export interface GradedRepeat {
  readonly outcome: Outcome;
  /** The turns that were run: a conversation ends with a turn whose run fails. */
  readonly turns: readonly GradedTurn[];
}
