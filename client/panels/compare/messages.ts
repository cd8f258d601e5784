// What the comparison of runs and its page send each other. Imported by both sides.
import { isCount, type MessageOf } from '../messages.js';

/** One run, a column of the table. */
export interface ComparedColumn {
  /** Absolute path of the project; with `run_id` what VS Code keeps to bring the panel back. */
  readonly root: string;
  readonly run_id: string;
  /** `A2@v1 · parser · openai`. */
  readonly name: string;
  /** When it began, in the user's language; empty where it is unknown. */
  readonly started: string;
}

/** One field, a row of the table, as displayed. */
export interface ComparedLine {
  readonly part: 'run' | 'usage' | 'steps' | 'output' | 'input';
  readonly label: string;
  /** A cell for each run; null where the run says nothing of it. */
  readonly cells: readonly (string | null)[];
  /** How far a number is from that of the first run, `+12 %`; empty for none. */
  readonly changes: readonly string[];
  readonly differs: boolean;
}

export interface ToPage {
  readonly type: 'show';
  readonly columns: readonly ComparedColumn[];
  readonly lines: readonly ComparedLine[];
}

export const fromPage = {
  /** Open the run of this column. */
  open: { column: isCount },
  /** Compare the two runs as texts. */
  texts: {},
};
export type FromPage = MessageOf<typeof fromPage>;

/** What VS Code stores to restore the panel. It contains nothing of the runs themselves. */
export interface PanelState {
  readonly runs: readonly Pick<ComparedColumn, 'root' | 'run_id'>[];
}
