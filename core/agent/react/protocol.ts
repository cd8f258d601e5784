import type { JsonObject } from '../../json.js';
import type { AssistantBlock, AssistantMessage, Completion, LlmRequest, UserMessage } from '../../llm/types.js';
import type { ComposedPrompt } from '../../prompt/types.js';
import type { EventBody } from '../events.js';
import type { SessionMessage } from '../types.js';

/** A tool call as the model asks for it. */
export interface AskedCall {
  readonly id: string;
  readonly name: string;
  /** Empty where the model wrote no JSON object: see `input_text`. */
  readonly input: JsonObject;
  readonly input_text?: string | undefined;
}

/** What a whole reply says. */
export interface Reply {
  /** Empty when the model did not say. */
  readonly thought: string;
  /** In the order asked; empty where there is an answer. */
  readonly calls: readonly AskedCall[];
  readonly answer: string | undefined;
  /** What the model is sent of it in the next call; undefined when there is nothing to send. */
  readonly message: AssistantMessage | undefined;
  /** The reply in the form that results and sessions use for both protocols. */
  readonly blocks: readonly AssistantBlock[];
  /** Why it can be neither answered nor carried out, and what is expected, for the model. */
  readonly fault?: string;
  /** Events of the reply that have not been yielded yet. */
  readonly events: readonly EventBody[];
}

/** What the model is told of one call. */
export interface ToldResult {
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

/** How a model is asked for a turn and read: one object for each `tool_protocol`. */
export interface Protocol {
  readonly fields: (composed: ComposedPrompt) => Pick<LlmRequest, 'tools' | 'stop' | 'response_format'>;
  readonly begin: (step: number) => ReplyReading;
  /** All results of a turn as one message to the model. */
  readonly observe: (results: readonly ToldResult[]) => UserMessage;
  /** How an answer that was refused is asked for again. */
  readonly again: string;
  /** A message of an earlier run as this protocol says it; undefined where it says nothing. */
  readonly recall: (message: SessionMessage, hasTools: boolean) => SessionMessage | undefined;
}
