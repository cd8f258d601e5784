// The answer of `agentStack.server.draft`: plain data, shared by server and client.
import type { Severity } from './finding.js';

/** A range of the text, as offsets in UTF-16 units. */
export interface DraftStretch {
  readonly start: number;
  readonly end: number;
}

/** The facts about the text of a config file. Facts that were not requested are absent. */
export interface DraftAnswer {
  readonly findings: readonly ({
    readonly code: string;
    readonly severity: Severity;
    readonly message: string;
    /** URI of the page of its rule. */
    readonly page?: string;
  } & DraftStretch)[];
  /** `about 120 tokens`: of the text at `pointer`. */
  readonly tokens?: string;
  readonly completions?: readonly ({ readonly label: string; readonly insert: string; readonly detail?: string } & DraftStretch)[];
  readonly hover?: { readonly markdown: string } & DraftStretch;
}
