import type { JsonObject } from '../json.js';
import type { ResponseFormat, ToolDefinition } from '../llm/types.js';
import type { Layer } from '../snapshot/effective.js';

/** A stretch of a message and where it came from. Spans cover every UTF-16 unit of every message exactly once, in order. */
export interface SourceSpan {
  /** Index into `messages`. */
  readonly message: number;
  readonly start: number;
  readonly end: number;
  /** Null for the project's own text and for payload text. */
  readonly file: string | null;
  /** Pointer in `file`; for `input` into the payload; empty for `fixed`. */
  readonly pointer: string;
  readonly layer: Layer | 'fixed' | 'input';
}

/** A composed message: text only. */
export interface PromptMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** A tool as a prompt describes it. */
export interface PromptTool extends ToolDefinition {
  /** Inputs that show how it is used. */
  readonly examples?: readonly JsonObject[];
}

export interface ComposedPrompt {
  readonly messages: readonly PromptMessage[];
  /** Null if the provider gets the schema in the prompt instead. */
  readonly response_format: ResponseFormat | null;
  /** The tools that the request offers the model; empty if they are only described in the prompt (`tool_protocol: text`). */
  readonly tools: readonly ToolDefinition[];
  readonly source_map: readonly SourceSpan[];
}

/** A syntactic repair made to find the JSON object in an answer; the values themselves are never changed. */
export interface Repair {
  readonly kind: 'fence' | 'prose' | 'syntax' | 'default';
  readonly message: string;
  /** `default`: the field filled in. */
  readonly path?: string;
}

export interface ParsedOutput {
  readonly output: JsonObject;
  readonly repairs: readonly Repair[];
}
