// What the comparison of runs and its host say to each other. Plain data, read on both sides; nothing is imported here.

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

/** One field, a row of the table, as it is shown. */
export interface ComparedLine {
  readonly part: 'run' | 'usage' | 'output' | 'input';
  readonly label: string;
  /** A cell for each run; null where the run says nothing of it. */
  readonly cells: readonly (string | null)[];
  /** How far a number is from that of the first run, `+12 %`; empty for none. */
  readonly changes: readonly string[];
  readonly differs: boolean;
}

export interface HostMessage {
  readonly type: 'show';
  readonly columns: readonly ComparedColumn[];
  readonly lines: readonly ComparedLine[];
}

export type PageMessage =
  | { readonly type: 'ready' }
  /** Open the run of this column. */
  | { readonly type: 'open'; readonly column: number }
  /** Compare the two runs as texts. */
  | { readonly type: 'texts' };

export function isPageMessage(value: unknown): value is PageMessage {
  if (!isRecord(value)) return false;
  if (value.type === 'open') return Number.isSafeInteger(value.column);
  return value.type === 'ready' || value.type === 'texts';
}

export function isHostMessage(value: unknown): value is HostMessage {
  return isRecord(value) && value.type === 'show' && Array.isArray(value.columns) && Array.isArray(value.lines);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
