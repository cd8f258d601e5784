import type { RunResult } from '../agent/events.js';
import type { Json, JsonObject } from '../json.js';
import type { Patterns } from '../routing/patterns.js';

/** `unknown`: it could not be asked or measured. That is never a failure of the agent. */
export type Outcome = 'passed' | 'failed' | 'unknown';

/** What expectations are judged by. */
export interface GradedRun {
  readonly result: RunResult;
  /** The example answer of the case, with which an expectation without `value` compares. */
  readonly expected?: Json | undefined;
  /** Results of the judges, by their reference as it is written (`QualityJudge@v1`). One that was not asked is missing. */
  readonly judges?: ReadonlyMap<string, RunResult> | undefined;
  /** Needed where an expectation has `matches`. */
  readonly patterns?: Patterns | undefined;
}

/** What is compared. */
export type Actual =
  | {
      readonly value: Json | undefined;
      /** Why the value is missing, a sentence, where the run knows. */
      readonly because?: string | undefined;
    }
  /** A sentence for the report. */
  | { readonly unknown: string };

/** What an expectation can look at. */
export interface Subject {
  /** The key that says that an expectation looks at this. */
  readonly key: string;
  /** @param entry the expectation; its `key` is there and is what the schema asks for, unless the file is wrong */
  actual(entry: JsonObject, run: GradedRun): Actual;
  /** The part of an example answer that it is compared with; absent for what no answer has. */
  example?(entry: JsonObject, expected: Json): Json | undefined;
  /** How a report names it: `tone`, `calls of search_files`. */
  words(entry: JsonObject): string;
}

/** One entry of `expect`, judged by itself. */
export interface GradedExpectation {
  /** Below `expect`: `/2`. */
  readonly pointer: string;
  readonly outcome: Outcome;
  /** Why it did not pass, a sentence; empty where it did. */
  readonly reason: string;
  /** Where one value was compared with another and did not pass: what there was. */
  readonly actual?: Json | undefined;
  /** What it was compared with. */
  readonly wanted?: Json | undefined;
}

/** One run of a case, or of one of its turns. */
export interface GradedTurn {
  readonly outcome: Outcome;
  /** The run's own error, in a sentence, where it did not pass: why there is no whole answer. A report says it before any expectation. */
  readonly cause?: string;
  readonly expectations: readonly GradedExpectation[];
}

/** One repeat of a case. */
export interface GradedRepeat {
  readonly outcome: Outcome;
  /** Those that were run: a conversation ends with a turn whose run fails. */
  readonly turns: readonly GradedTurn[];
}
