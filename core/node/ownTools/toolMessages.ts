import { isObject, type JsonObject } from '../../json.js';
import type { LogLevel } from '../../ports.js';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/types.js';

/** A tool without its function. */
export type ToolFacts = Omit<Tool, 'call'>;

/** Messages to the process of the tools, one per line. `id` names a call. */
export type ToHost =
  | { readonly type: 'load'; readonly path: string }
  | { readonly type: 'call'; readonly id: number; readonly tool: string; readonly input: JsonObject; readonly context: SentContext }
  | { readonly type: 'cancel'; readonly id: number };

/** The parts of a run's context that are sent to the process; the rest is created there. */
export type SentContext = Omit<ToolContext, 'signal' | 'logger'>;

/** Messages from the process. */
export type FromHost =
  | { readonly type: 'loaded'; readonly tools: readonly ToolFacts[] }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'outcome'; readonly id: number; readonly outcome: ToolOutcome }
  | { readonly type: 'threw'; readonly id: number; readonly error: SentError }
  /** The call's signal was aborted: its code is not in an endless loop. */
  | { readonly type: 'cancelled'; readonly id: number }
  | {
      readonly type: 'log';
      readonly id: number;
      readonly level: LogLevel;
      readonly message: string;
      readonly fields?: Readonly<Record<string, unknown>>;
    };

/** An error as it is sent: `code` is the `code` of the error, if it has one. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
}

/** The message in a line; undefined for any other line, since the module's code may write to the pipe too. */
export function readFromHost(line: string): FromHost | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return isObject(value) && hasForm(value) ? (value as unknown as FromHost) : undefined;
}

function hasForm({ type, id, tools, message, outcome, error, level, fields }: JsonObject): boolean {
  if (type === 'loaded') return Array.isArray(tools) && tools.every(isToolFacts);
  if (type === 'failed') return isText(message);
  if (typeof id !== 'number') return false;
  if (type === 'outcome') return isOutcome(outcome);
  if (type === 'threw') return isObject(error) && isText(error.name) && isText(error.message) && isTextOrNone(error.stack);
  if (type === 'log') return isLevel(level) && isText(message) && (fields === undefined || isObject(fields));
  return type === 'cancelled';
}

export function isOutcome(value: unknown): boolean {
  return isObject(value) && isText(value.content);
}

export function isLevel(value: unknown): boolean {
  return ['debug', 'info', 'warn', 'error'].includes(value as string);
}

function isToolFacts(value: unknown): boolean {
  return isObject(value) && isText(value.name) && isText(value.description) && isObject(value.parameters) && isObject(value.origin);
}

const isText = (value: unknown) => typeof value === 'string';
const isTextOrNone = (value: unknown) => value === undefined || isText(value);
