import type { JsonObject } from '../../json.js';
import type { LogLevel } from '../../ports.js';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/types.js';

/** A tool without its function. */
export type ToolFacts = Omit<Tool, 'call'>;

/** What is sent to the process of the tools. `id` names a call. */
export type ToHost =
  | { readonly type: 'load'; readonly path: string }
  | { readonly type: 'call'; readonly id: number; readonly tool: string; readonly input: JsonObject; readonly context: SentContext }
  | { readonly type: 'cancel'; readonly id: number };

/** What of a run crosses to the process; the rest is made there. */
export type SentContext = Omit<ToolContext, 'signal' | 'logger'>;

/** What the process answers. */
export type FromHost =
  | { readonly type: 'loaded'; readonly tools: readonly ToolFacts[] }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'outcome'; readonly id: number; readonly outcome: ToolOutcome }
  | { readonly type: 'threw'; readonly id: number; readonly error: SentError }
  | {
      readonly type: 'log';
      readonly id: number;
      readonly level: LogLevel;
      readonly message: string;
      readonly fields?: Readonly<Record<string, unknown>>;
    };

/** An error as it crosses: `code` is that of an error of ours. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: unknown;
}
