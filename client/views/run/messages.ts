// What the run panel and its host say to each other. Plain data, read on both sides; nothing is imported here.

/** Something the schema refuses, or that was put right. `path` is a JSON pointer into the answer. */
export interface ViewIssue {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/** A top-level field of the answer. */
export interface ViewField {
  readonly name: string;
  /** A string as it is, anything else as indented JSON. */
  readonly text: string;
  readonly isJson: boolean;
  /** Filled in from `defaults`: the model did not say it. */
  readonly isDefault: boolean;
  /** `unchecked`: of a run that did not get so far. */
  readonly verdict: 'valid' | 'invalid' | 'unchecked';
}

/** One thing that happened, in the order it did. `place` is `team / task` in a run of several agents, else empty. */
export type ViewEvent = { readonly place: string } & (
  | { readonly type: 'step'; readonly step: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly text: string }
  | { readonly type: 'tool_result'; readonly id: string; readonly name: string; readonly text: string; readonly isError: boolean }
  | { readonly type: 'retry'; readonly attempt: number; readonly wait_ms: number; readonly reason: string }
  | { readonly type: 'repair'; readonly issues: readonly ViewIssue[] }
  | {
      readonly type: 'step_end';
      readonly step: number;
      readonly thought: string;
      readonly observation: string;
      readonly tokens: number | null;
    }
  /** Anything else that a run tells, by its own name: a team that starts, a route that is taken. */
  | { readonly type: 'other'; readonly name: string; readonly text: string }
);

export type ViewStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'open' | 'broken';

/** What is known of the run as a whole by now. What is not known is null. */
export interface ViewFacts {
  readonly run_id: string | null;
  readonly agent: string;
  readonly version: string;
  readonly project: string;
  /** Absolute path of the project: what VS Code keeps to bring the panel back. */
  readonly root: string;
  readonly status: ViewStatus;
  /** Milliseconds since 1970. */
  readonly started: number | null;
  readonly duration_ms: number | null;
  readonly provider: string | null;
  readonly model: string | null;
  readonly profile: string | null;
  readonly simulated: boolean;
  readonly tokens: { readonly prompt: number; readonly completion: number; readonly cached: number } | null;
  /** USD; null when no price is known. */
  readonly cost: number | null;
  readonly left_out: readonly string[];
  /** SHA-256 of the frozen config. */
  readonly snapshot: string | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly reason: string;
    readonly issues: readonly ViewIssue[];
  } | null;
  readonly fields: readonly ViewField[];
  /** The input, a key each. */
  readonly input: readonly ViewField[];
  readonly problems: readonly string[];
  readonly isPinned: boolean;
  /** Whether there is a folder of this run. */
  readonly isKept: boolean;
}

export type HostMessage =
  /** Everything, when the page is ready or shows another run. */
  | { readonly type: 'show'; readonly facts: ViewFacts; readonly events: readonly ViewEvent[] }
  /** What came since. */
  | { readonly type: 'more'; readonly facts: ViewFacts; readonly events: readonly ViewEvent[] };

const actions = ['ready', 'cancel', 'runAgain', 'copy', 'openRaw', 'openHistory', 'openSnapshot', 'pin', 'setKey'] as const;
export type PageAction = (typeof actions)[number];

export type PageMessage =
  | { readonly type: PageAction }
  /** Show what the schema says about this issue. */
  | { readonly type: 'openIssue'; readonly path: string; readonly keyword: string };

export function isPageMessage(value: unknown): value is PageMessage {
  if (!isRecord(value)) return false;
  if (value.type === 'openIssue') return typeof value.path === 'string' && typeof value.keyword === 'string';
  return actions.some((action) => action === value.type);
}

/** Whether a message is the host's. Only the host can post here; this keeps out what other scripts of the frame might. */
export function isHostMessage(value: unknown): value is HostMessage {
  return (
    isRecord(value) &&
    (value.type === 'show' || value.type === 'more') &&
    isFacts(value.facts) &&
    Array.isArray(value.events) &&
    value.events.every((event) => isRecord(event) && typeof event.type === 'string' && typeof event.place === 'string')
  );
}

function isFacts(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.agent === 'string' &&
    typeof value.version === 'string' &&
    typeof value.status === 'string' &&
    Array.isArray(value.fields) &&
    Array.isArray(value.input) &&
    Array.isArray(value.problems) &&
    Array.isArray(value.left_out)
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
