import type { JsonObject } from '../../json.js';
import type { AssistantBlock, AssistantMessage, Completion, LlmRequest, UserMessage } from '../../llm/types.js';
import type { ComposedPrompt } from '../../prompt/types.js';
import type { EventBody } from '../events.js';
import type { SessionMessage } from '../types.js';

/** A tool call of the model. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** Empty if the model did not write a JSON object: see `input_text`. */
  readonly input: JsonObject;
  readonly input_text?: string | undefined;
}

/** The content of a whole reply. */
export interface Reply {
  /** Empty without one. */
  readonly thought: string;
  /** In order; empty if there is an answer. */
  readonly calls: readonly AskedCall[];
  readonly answer: string | undefined;
  /** The part of it that the next call sends back; undefined when there is none. */
  readonly message: AssistantMessage | undefined;
  /** The reply in the form that results and sessions use for both protocols. */
  readonly blocks: readonly AssistantBlock[];
  /** Why it is neither an answer nor a valid call, and what is expected, for the model. */
  readonly fault?: string;
  /** Events of the reply that have not been yielded yet. */
  readonly events: readonly EventBody[];
}

/** The result of one call for the model. */
export interface ObservedResult {
  readonly call: AskedCall;
  readonly text: string;
  readonly is_error: boolean;
}

/** Reads one reply. */
export interface ReplyReading {
  /** The events that show a piece of text. */
  read(text: string): readonly EventBody[];
  end(completion: Completion): Reply;
}

/** How a turn is requested from a model and its reply read: one object for each `tool_protocol`. */
export interface Protocol {
  readonly fields: (composed: ComposedPrompt) => Pick<LlmRequest, 'tools' | 'stop' | 'response_format'>;
  readonly begin: (step: number) => ReplyReading;
  /** All results of a turn as one message to the model. */
  readonly observe: (results: readonly ObservedResult[]) => UserMessage;
  /** Asks the model to replace a refused answer. */
  readonly again: string;
  /** A message of an earlier run in the form of this protocol; undefined if it has none. */
  readonly recall: (message: SessionMessage, hasTools: boolean) => SessionMessage | undefined;
}
