// What the chat panel and its host say to each other. Plain data, read on both sides.
import type { Decision, ViewEvent, ViewFacts } from '../run/messages.js';

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
  /** USD. */
  /** USD; null when that of no turn is known. */
  readonly cost: number | null;
  /** False when the usage or the cost of a turn is unknown: the numbers are then lower bounds. */
  readonly isWhole: boolean;
  /** No model was asked in any turn. */
  readonly isSimulated: boolean;
}

export interface ChatFacts {
  readonly agent: string;
  readonly version: string;
  /** Absolute path of the project; with agent, version, profile and session what VS Code keeps to bring the panel back. */
  readonly root: string;
  readonly session: string;
  /** An llm profile in place of the agent's own; null for its own. */
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

export type ChatHostMessage =
  /** Everything, when the page is ready or another conversation is shown. */
  | { readonly type: 'show'; readonly chat: ChatFacts; readonly turns: readonly ChatTurn[] }
  /** What is new in one turn, or a new turn. */
  | { readonly type: 'more'; readonly chat: ChatFacts; readonly turn: ChatTurn }
  | { readonly type: 'chat'; readonly chat: ChatFacts }
  /** The message was not sent, and stays in its box. */
  | { readonly type: 'refused'; readonly chat: ChatFacts; readonly message: string }
  /** A text the page asked for; `more` counts the UTF-16 units that are still left out. */
  | { readonly type: 'whole'; readonly turn: number; readonly part: number; readonly text: string; readonly more: number };

const actions = ['ready', 'stop', 'newConversation', 'copy'] as const;
export type ChatAction = (typeof actions)[number];

export type ChatPageMessage =
  | { readonly type: ChatAction }
  /** `values` by key; `from` is the turn that it replaces, null for a new one. */
  | { readonly type: 'send'; readonly values: Readonly<Record<string, string>>; readonly from: number | null }
  | { readonly type: 'whole'; readonly turn: number; readonly part: number }
  | { readonly type: 'decide'; readonly id: number; readonly decision: Decision }
  /** An address that the model wrote. */
  | { readonly type: 'openLink'; readonly address: string }
  | { readonly type: 'openRun' | 'copyAnswer' | 'saveCase' | 'setKey'; readonly turn: number };

const decisions: readonly unknown[] = ['once', 'run', 'always', 'deny'] satisfies readonly Decision[];

export function isChatPageMessage(value: unknown): value is ChatPageMessage {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case 'send':
      return (
        isRecord(value.values) &&
        Object.values(value.values).every((text) => typeof text === 'string') &&
        (value.from === null || typeof value.from === 'number')
      );
    case 'whole':
      return typeof value.turn === 'number' && typeof value.part === 'number';
    case 'openLink':
      return typeof value.address === 'string';
    case 'decide':
      return typeof value.id === 'number' && decisions.includes(value.decision);
    case 'openRun':
    case 'copyAnswer':
    case 'saveCase':
    case 'setKey':
      return typeof value.turn === 'number';
    default:
      return actions.some((action) => action === value.type);
  }
}

/** Whether a message is the host's. Only the host can post here; this keeps out what other scripts of the frame might. */
export function isChatHostMessage(value: unknown): value is ChatHostMessage {
  if (!isRecord(value)) return false;
  if (value.type === 'whole') {
    const { turn, part, text, more } = value;
    return typeof turn === 'number' && typeof part === 'number' && typeof text === 'string' && typeof more === 'number';
  }
  if (!isRecord(value.chat) || !Array.isArray(value.chat.fields) || !isRecord(value.chat.totals)) return false;
  if (value.type === 'show') return Array.isArray(value.turns) && value.turns.every(isTurn);
  if (value.type === 'more') return isTurn(value.turn);
  return value.type === 'chat' || (value.type === 'refused' && typeof value.message === 'string');
}

function isTurn(value: unknown): boolean {
  return isRecord(value) && typeof value.id === 'number' && isRecord(value.facts) && Array.isArray(value.events);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
