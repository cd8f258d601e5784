// What `agentStack.server.draft` answers. Plain data, of which server and client both know the shape.
import type { Severity } from './finding.js';

/** A stretch of the text, as offsets in UTF-16 units. */
export interface DraftStretch {
  readonly start: number;
  readonly end: number;
}

/** What is known of a text that a config file might have. What was not asked for is absent. */
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
