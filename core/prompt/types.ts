import type { JsonObject } from '../json.js';
import type { ResponseFormat, ToolDefinition } from '../llm/types.js';
import type { Layer } from '../snapshot/effective.js';

/** A stretch of a message and where it came from. Spans cover every UTF-16 unit of every message exactly once, in order. */
export interface SourceSpan {
  /** Index into `messages`. */
  readonly message: number;
  readonly start: number;
  readonly end: number;
  /** Null for our own words and for payload text. */
  readonly file: string | null;
  /** Pointer in `file`; for `input` into the payload; empty for `fixed`. */
  readonly pointer: string;
  readonly layer: Layer | 'fixed' | 'input';
}

/** A message as it is composed: text alone. */
export interface PromptMessage {
  readonly role: 'system' | 'user';
  readonly content: string;
}

/** A tool as a prompt tells of it. */
export interface PromptTool extends ToolDefinition {
  /** Inputs that show how it is used. */
  readonly examples?: readonly JsonObject[];
}

export interface ComposedPrompt {
  readonly messages: readonly PromptMessage[];
  /** Null when the provider gets the schema in the prompt instead. */
  readonly response_format: ResponseFormat | null;
  /** What the request offers the model; empty where the tools are told in the prompt alone (`tool_protocol: text`). */
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
