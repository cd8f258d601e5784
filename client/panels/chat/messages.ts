// What the panel of a conversation and its page send each other. Imported by both sides.
import { isObject } from '../../../core/json.js';
import { type FilesToPage, linksFromPage } from '../linkMessages.js';
import { isCount, isOneOf, isString, type MessageOf } from '../messages.js';
import { isDecision, type ViewEvent, type ViewFacts } from '../run/messages.js';

/** One key of the input that each message consists of. */
export interface ChatField {
  /** Empty for an agent that takes a free message. */
  readonly key: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** `json`: what is typed is JSON. */
  readonly kind: 'text' | 'json';
}

/** What the conversation has used. */
export interface ChatTotals {
  readonly prompt: number;
  readonly completion: number;
  /** USD; null when no turn's cost is known. */
  readonly cost: number | null;
  /** False when the usage or the cost of a turn is unknown: the numbers are then lower bounds. */
  readonly isWhole: boolean;
  /** No turn called a model. */
  readonly isSimulated: boolean;
}

export interface ChatFacts {
  readonly agent: string;
  readonly version: string;
  /** Absolute path of the project; with agent, version, profile and session what VS Code keeps to bring the panel back. */
  readonly root: string;
  readonly session: string;
  /** An llm profile that overrides the agent's; null for the agent's. */
  readonly profile: string | null;
  readonly fields: readonly ChatField[];
  readonly totals: ChatTotals;
  /** A message is being sent: its agent is loaded and checked. */
  readonly isPreparing: boolean;
}

/** A message and what came of it: one run. */
export interface ChatTurn {
  /** Unique in the panel. */
  readonly id: number;
  readonly facts: ViewFacts;
  /** All so far, or what is new. */
  readonly events: readonly ViewEvent[];
}

export type ToPage =
  /** Everything, when the page is ready or another conversation is shown. */
  | { readonly type: 'show'; readonly chat: ChatFacts; readonly turns: readonly ChatTurn[] }
  /** What is new in one turn, or a new turn. */
  | { readonly type: 'more'; readonly chat: ChatFacts; readonly turn: ChatTurn }
  | { readonly type: 'chat'; readonly chat: ChatFacts }
  /** The message was not sent, and stays in its box. */
  | { readonly type: 'refused'; readonly chat: ChatFacts; readonly message: string }
  /** A text that the page requested; `more` counts the UTF-16 units still left out. */
  | { readonly type: 'whole'; readonly turn: number; readonly part: number; readonly text: string; readonly more: number }
  | FilesToPage;

export const fromPage = {
  act: { action: isOneOf('stop', 'newConversation', 'copy') },
  /** `values` by key; `from` is the turn that it replaces, null for a new one. */
  send: { values: isTexts, from: isTurnOrNone },
  whole: { turn: isCount, part: isCount },
  decide: { id: isCount, decision: isDecision },
  ...linksFromPage,
  openRun: { turn: isCount },
  copyAnswer: { turn: isCount },
  saveCase: { turn: isCount },
  setKey: {},
};
export type FromPage = MessageOf<typeof fromPage>;

/** What VS Code stores to restore the panel, and what was typed: the page of a hidden panel is discarded. */
export interface PanelState {
  readonly root: string;
  readonly agent: string;
  readonly version: string;
  readonly profile: string | null;
  readonly session: string;
  readonly draft: Readonly<Record<string, string>>;
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every(isString);
}

function isTurnOrNone(value: unknown): value is number | null {
  return value === null || isCount(value);
}
