import type { JsonObject } from '../json.js';
import type { Completion, LlmRequest, StreamPart } from '../llm/types.js';
import type { Tool, ToolContext, ToolOutcome } from '../tools/types.js';
import type { AgentEvent } from './events.js';

/** Follows one run. Model and tool calls are told when they happen, so their times are those of the calls themselves. */
export interface RunWatch {
  /** Every event, in order, the final one included. */
  event(event: AgentEvent): void;
  /** The reader of the events left before the final one. */
  abandoned(): void;
  modelCall(request: LlmRequest): ModelCallWatch;
  /** Called for every try of a tool call; all tries of a call have the same `call_id`. */
  toolCall(tool: Tool, input: JsonObject, context: ToolContext): ToolCallWatch;
}

export interface ModelCallWatch {
  /** Parts of a stream, without the completion. */
  part(part: Exclude<StreamPart, { type: 'completion' }>): void;
  end(completion: Completion): void;
  fail(error: unknown): void;
}

export interface ToolCallWatch {
  /** Runs the call so that whatever it starts is recorded as part of it. */
  within<Result>(call: () => Result): Result;
  end(outcome: ToolOutcome): void;
  fail(error: unknown): void;
}
