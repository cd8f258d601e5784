import type { CaseReport } from '../evalReport.js';
import type { EvalWords } from '../evalWords.js';

export interface EvalPageOptions {
  /** Default: English. */
  readonly words?: EvalWords;
  /** When the eval began, as it is shown. Default: as the report has it. */
  readonly started?: string;
  /** The line of a place in a file, from 1. */
  readonly lineOf: (file: string, pointer: string) => number;
  /** Has buttons that lead to places and runs, for a page that is followed by a program. */
  readonly isLive?: boolean;
  /** Passed cases of each table that are shown. Default: all. */
  readonly mostPassed?: number;
}

/** A case with all profiles that it was asked with. */
export interface CaseRow {
  /** Index in each suite. */
  readonly index: number;
  readonly cases: readonly CaseReport[];
}
