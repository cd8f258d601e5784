// What the panel of a run and its page send each other. Imported by both sides.
import type { ToolDeeds } from '../../../core/tools/types.js';
import { type FilesToPage, linksFromPage } from '../linkMessages.js';
import { isCount, isOneOf, isString, type MessageOf, type ViewStatus } from '../messages.js';

/** Something the schema refuses, or that was put right. `path` is a JSON pointer into the answer. */
export interface ViewIssue {
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/** A top-level field of the answer. */
export interface ViewField {
  readonly name: string;
  /** A string unchanged, anything else as indented JSON. */
  readonly text: string;
  readonly isJson: boolean;
  /** Filled in from `defaults`: the model did not say it. */
  readonly isDefault: boolean;
  /** `unchecked`: for a run that did not get that far. */
  readonly verdict: 'valid' | 'invalid' | 'unchecked';
}

/** A text that may be megabytes: the page has its beginning and asks for the rest on demand. */
export interface ViewText {
  /** By which the page asks for it. */
  readonly part: number;
  /** Its beginning, on one line. */
  readonly excerpt: string;
  /** All of it; null where it is too long to be sent unasked. */
  readonly text: string | null;
  /** Its length in UTF-16 units. */
  readonly units: number;
}

/**
 * One thing that happened, in the order it did. `place` is `team / task` in a run of several agents, or the team alone; else empty. The name of
 * a step is that of the plan's; null for the turn of a model.
 */
export type ViewEvent = { readonly place: string } & (
  | { readonly type: 'step'; readonly step: number; readonly name: string | null }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly name: string;
      /** Who offers it: `built-in`, `skill`, the id of an MCP server, or empty where it is unknown. */
      readonly origin: string;
      readonly input: ViewText;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly name: string;
      readonly output: ViewText;
      readonly isError: boolean;
    }
  | { readonly type: 'retry'; readonly attempt: number; readonly wait_ms: number; readonly reason: string }
  | { readonly type: 'repair'; readonly issues: readonly ViewIssue[] }
  /** What a person changed at a stop. */
  | { readonly type: 'edit'; readonly path: string; readonly after: string }
  /** How many tokens of an answer the budget could still pay for. */
  | { readonly type: 'output_limit'; readonly tokens: number }
  | {
      readonly type: 'step_end';
      readonly step: number;
      /** Empty where it has been shown as it came. */
      readonly thought: string;
      /** The message to the model about the results, or about the errors of its answer; null without one. */
      readonly observation: ViewText | null;
      /** The observation is about the answer of the model itself, which was not taken. */
      readonly isCorrection: boolean;
      /** What tools said about their own results (impact, risks, quality of the source), as sent to the model. */
      readonly hints: readonly string[];
      readonly tokens: number | null;
      /** USD; null when it is not known. */
      readonly cost: number | null;
    }
  /** A team starts: `execution` counts the teams of the run, from 1. */
  | { readonly type: 'team'; readonly team: string; readonly execution: number; readonly isNewContext: boolean }
  | { readonly type: 'task'; readonly team: string; readonly task: string }
  | {
      readonly type: 'task_end';
      readonly status: 'completed' | 'failed' | 'cancelled';
      readonly duration_ms: number | null;
      readonly tokens: number | null;
      /** USD; null when it is not known. */
      readonly cost: number | null;
      /** Null without one. */
      readonly output: ViewText | null;
      /** Empty without one. */
      readonly error: string;
    }
  /** Routing has chosen: `rule` is the index of the rule, null for `default`; `next` null ends the run. */
  | {
      readonly type: 'route';
      readonly rule: number | null;
      readonly next: string | null;
      /** What it changed in the context, as JSON; empty for nothing. */
      readonly updates: string;
      readonly notes: readonly string[];
    }
  | { readonly type: 'team_end' }
  /** The run continues where an earlier process ended; `steps` counts the steps that were finished by then. */
  | { readonly type: 'resumed'; readonly steps: number }
  /** Any other event of a run, by its own name. */
  | { readonly type: 'other'; readonly name: string; readonly text: string }
);

/** Whether what a model has written so far is not its answer: it calls a tool, writes again or is asked again. */
export function discardsText(event: ViewEvent): boolean {
  return ['step', 'tool_call', 'retry'].includes(event.type) || (event.type === 'step_end' && event.isCorrection);
}

/** A call that waits for approval. */
export interface ViewApproval {
  /** Unique in the window. */
  readonly id: number;
  readonly tool: string;
  /** Who offers it, as of a call. */
  readonly origin: string;
  /** The agent that asks, `A2@v1`; '' where it can only be the one that runs. */
  readonly agent: string;
  /** The team and the task in which it asks, `review / critic`; '' in the run of an agent. */
  readonly place: string;
  readonly description: string;
  /** What the tool does; null where its labels are not known here. */
  readonly deeds: ToolDeeds | null;
  /** Why a policy wants this very call approved; '' where it does not. */
  readonly policy: string;
  /** Indented JSON. */
  readonly input: string;
}

/** A document that the run has read. */
export interface ViewSource {
  readonly id: string;
  readonly title: string;
  /** Whether it can be opened: a file of the project, or a page of the web. */
  readonly isLinked: boolean;
  /** Null where the run stored no text of it. */
  readonly text: ViewText | null;
}

/** Where a run waits for the user, and what it is about to send or was answered. */
export interface ViewStop {
  readonly words: string;
  /** Of a task of an orchestration; else empty. */
  readonly place: string;
  /** `edit`: the text to edit; null where it cannot be changed. */
  readonly parts: readonly { readonly label: string; readonly text: string; readonly edit: string | null }[];
  /** Model, tokens, cost so far. */
  readonly facts: string;
  /** Why nothing can be changed; empty where it can. */
  readonly locked: string;
  readonly isChanged: boolean;
  /** What is wrong with the last edit; empty if nothing is. */
  readonly problem: string;
}

/** What the smoothness is computed from, with counts. */
export interface ViewReason {
  readonly word: 'iterations' | 'calls' | 'failed' | 'contradictions' | 'rejected' | 'repairs';
  readonly count: number;
}

export interface ViewRecording {
  readonly type: 'record' | 'replay';
  /** From the project's folder, where it is in there. */
  readonly file: string;
}

/** What is known about the run as a whole by now. Null means unknown. */
export interface ViewFacts {
  readonly kind: 'agent' | 'orchestration';
  readonly run_id: string | null;
  /** Or the name of the orchestration. */
  readonly agent: string;
  /** Empty for an orchestration. */
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
  /** Name of the case; null for another one. */
  readonly payload: string | null;
  readonly simulated: boolean;
  readonly tokens: {
    readonly prompt: number;
    readonly completion: number;
    readonly cached: number;
    readonly written: number;
    /** Cached tokens that were predicted from the prompt; 0 for none. */
    readonly predicted: number;
    /** Counted by us, since the provider does not report them. */
    readonly isEstimated: boolean;
    /** The numbers and the cost are lower bounds, since a call did not finish. */
    readonly isIncomplete: boolean;
  } | null;
  /** USD; null when no price is known. */
  readonly cost: number | null;
  /** For a replay, which costs nothing: USD of the recorded run; null where that is unknown. */
  readonly replay: { readonly cost: number | null } | null;
  /** What it may do, by the labels of its tools; null without tools, and where it is not known any more. */
  readonly permits: string | null;
  /** Model calls that were answered. */
  readonly iterations: number | null;
  /** Model calls that failed and were made again. */
  readonly retries: number;
  readonly repairs: number;
  /** Tools that were called, each once, in the order of first use. */
  readonly tools: readonly string[];
  readonly left_out: readonly string[];
  /** Models without a price, for which the budget was not enforced. */
  readonly unpriced: readonly string[];
  /** What did not fit the context window of the model and was left out. */
  readonly dropped: { readonly results: number; readonly messages: number } | null;
  /** SHA-256 of the frozen config. */
  readonly snapshot: string | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly reason: string;
    readonly issues: readonly ViewIssue[];
  } | null;
  readonly fields: readonly ViewField[];
  /** The agent answers in text alone, which is its answer as it comes. */
  readonly isText: boolean;
  /** The answer of an agent without fields; null before it has ended, and for all others. */
  readonly answer: ViewText | null;
  /** How smoothly the run went, 0 to 1, with its counts; null before the end, for orchestrations, and when the model states its confidence. */
  readonly smoothness: { readonly value: number; readonly reasons: readonly ViewReason[] } | null;
  /** The lowest that a tool gave its results; null where none did. */
  readonly quality: string | null;
  readonly sources: readonly ViewSource[];
  /** The input, a key each. */
  readonly input: readonly ViewField[];
  readonly problems: readonly string[];
  /** Calls that wait for approval, the oldest first. */
  readonly approvals: readonly ViewApproval[];
  /** Null while it does not wait at a stop. */
  readonly stop: ViewStop | null;
  /** The conversation the run belongs to. */
  readonly session: string | null;
  /** Whether the conversation can continue with another message. */
  readonly canContinue: boolean;
  /** Whether its steps are stored, so that it can be resumed after its process ended. */
  readonly isDurable: boolean;
  /** Whether it was interrupted and can be resumed. */
  readonly canResume: boolean;
  readonly isPinned: boolean;
  /** The record that the run is written to, or that answers in its place; null without one. */
  readonly recording: ViewRecording | null;
  /** Whether there is a folder of this run. */
  readonly isKept: boolean;
}

export type ToPage =
  /** Everything, when the page is ready or shows another run. */
  | { readonly type: 'show'; readonly facts: ViewFacts; readonly events: readonly ViewEvent[] }
  /** What came since; without facts where they are as before. */
  | { readonly type: 'more'; readonly facts?: ViewFacts; readonly events: readonly ViewEvent[] }
  /** A text that the page requested; `more` is how many units of it are still left out. */
  | { readonly type: 'whole'; readonly part: number; readonly text: string; readonly more: number }
  | FilesToPage;

const isAction = isOneOf(
  'cancel',
  'pause',
  'proceed',
  'step',
  'runAgain',
  'debug',
  'fork',
  'saveCase',
  'continue',
  'resume',
  'showGraph',
  'copy',
  'openRaw',
  'openHistory',
  'openSnapshot',
  'openRecording',
  'pin',
  'setKey',
  'listTools',
);

/** The answer to a call: allow this one, this tool for this run, this tool from now on, or deny. */
export const isDecision = isOneOf('once', 'run', 'always', 'deny');
export type Decision = Guarded<typeof isDecision>;
export type PageAction = Guarded<typeof isAction>;
type Guarded<Check> = Check extends (value: unknown) => value is infer Value ? Value : never;

export const fromPage = {
  act: { action: isAction },
  /** Show what the schema says about this issue. */
  openIssue: { path: isString, keyword: isString },
  /** Send all of this text. */
  whole: { part: isCount },
  openSource: { id: isString },
  ...linksFromPage,
  decide: { id: isCount, decision: isDecision },
  /** A part of what is shown at the stop, in other words. */
  edit: { part: isCount, text: isString },
};
export type FromPage = MessageOf<typeof fromPage>;

/** What VS Code stores to restore the panel. It contains nothing of the run itself. */
export interface PanelState {
  readonly run_id: string | null;
  readonly root: string;
}
