import type { EffectiveAgentFields, EffectiveLlmFields } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import type { Logger } from '../ports.js';

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** What a model thought before it answered. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  /** Empty when the provider hides it. */
  readonly text: string;
  /** The provider's own mark, to be sent back unchanged with the tool results; it is in no event, result or file. */
  readonly signature?: string;
  /** `signature` stands for the whole thought, which the provider hides. */
  readonly redacted?: true;
}

/** A tool call of the model. */
export interface ToolUseBlock {
  readonly type: 'tool_use';
  /** Unique in its conversation. Made up by us where the provider sends none. */
  readonly id: string;
  readonly name: string;
  /** Empty where the model did not write a JSON object: see `input_text`. */
  readonly input: JsonObject;
  /** What the model wrote where it is not a JSON object. */
  readonly input_text?: string;
  /** As for a thought. */
  readonly signature?: string;
}

/** The result of a tool, for the model. Every tool use of a conversation is followed by its result, in the next message. */
export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  /** Name of the tool; some wire formats repeat it. */
  readonly name: string;
  readonly content: string;
  readonly is_error?: true;
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolUseBlock;
export type UserBlock = TextBlock | ToolResultBlock;

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

/** A plain text is short for one text block. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly UserBlock[];
}

/** A plain text is short for one text block. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | readonly AssistantBlock[];
}

/** The internal message format; each provider converts it to its own. */
export type Message = SystemMessage | UserMessage | AssistantMessage;

/** A tool as described to the model. */
export interface ToolDefinition {
  /** `[a-zA-Z0-9_-]{1,64}`, which every provider accepts. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, root type object. */
  readonly parameters: JsonObject;
}

/** OpenAI's `json_schema` response format, the internal form for every provider. */
export interface ResponseFormat {
  readonly type: 'json_schema';
  readonly json_schema: {
    /** `[a-zA-Z0-9_-]{1,64}`. */
    readonly name: string;
    readonly schema: JsonObject;
    readonly strict: boolean;
  };
}

/** What requests with the same beginning have in common. */
export interface CacheHint {
  /** The same for all of them: `[a-zA-Z0-9_.-]{1,64}`. */
  readonly key: string;
  /** UTF-16 units at the start of the system text that are the same in all of them. Default: the whole text. */
  readonly stable_system?: number;
}

/** One model call. Knows nothing of agents. */
export interface LlmRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  /** As `compose` returns it; null and undefined for none. */
  readonly response_format?: ResponseFormat | null | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  /** Most tokens of the answer. */
  readonly max_tokens?: number | undefined;
  /** `max_tokens` is what a budget can pay: a model that accepts no limit is not called, and a replay does not compare it. */
  readonly isBudgetLimit?: true;
  /** A budget has set money aside for one request: a turn that the vendor pauses is not continued. Records and replays leave it out. */
  readonly hasBudget?: true;
  /** The tools the model may call; none when absent or empty. */
  readonly tools?: readonly ToolDefinition[];
  /** Texts at which the model stops writing; left out where a model does not accept them. */
  readonly stop?: readonly string[];
  /** Hints for a provider's cache. They change no answer, so records and replays leave them out. Without them nothing is marked for caching. */
  readonly cache?: CacheHint;
  readonly signal?: AbortSignal;
  /** Moment (`Clock.monotonic()`, in ms) at which the caller gives up: the client does not start a wait between tries that would pass it. */
  readonly deadline?: number;
  /** Where the call is logged; its lines say who made the call. Default: the client's own. */
  readonly logger?: Logger;
}

export interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  /** Of the prompt, read from the provider's cache. */
  readonly cached_tokens: number;
  /** Of the prompt, written to the provider's cache. Absent: none. */
  readonly cache_write_tokens?: number;
  /** Of the completion, spent on thoughts. Absent: none, or not reported. */
  readonly reasoning_tokens?: number;
}

/** Why an answer ended. Anything that a vendor does not document as one of these is a failure: `incomplete`. */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'refusal' | 'tool_use';

export interface Completion {
  /** The text blocks, joined. */
  readonly text: string;
  /** All blocks in order, when the answer is more than text. */
  readonly blocks?: readonly AssistantBlock[];
  readonly finish_reason: FinishReason;
  /** The one of the request's `stop` texts at which the model stopped, where the provider says so. */
  readonly stop_sequence?: string;
  /** Undefined when the provider did not say. */
  readonly usage: TokenUsage | undefined;
  /** Of earlier tries that failed and were billed. */
  readonly failed_usage?: TokenUsage;
  /** Counted by us, because the provider reports no usage. Default false. */
  readonly isUsageEstimated?: boolean;
  /** The model that answered, as the provider names it. */
  readonly model: string;
  readonly id: string | undefined;
  /** Parameters left out because the model refuses them. */
  readonly left_out: readonly string[];
  /** True for the `offline` provider, which calls no model. */
  readonly simulated: boolean;
  /** A record answered: nothing was paid. Default false. */
  readonly isRecorded?: boolean;
  /** How many tries it took, 1 for the first. */
  readonly attempts: number;
  /** From request to end of the answer, in ms, waits included. */
  readonly latency_ms: number;
  /** The output limit that a budget set for this call, in tokens. Absent where none did. */
  readonly budget_limit?: number;
}

/** What a stream yields: text and thoughts as they come, `retry` before a wait, and last, exactly once, `completion` with the tool calls. */
export type StreamPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly wait_ms: number;
      readonly reason: string;
      /** As the provider says it. */
      readonly message?: string;
    }
  | { readonly type: 'completion'; readonly completion: Completion };

export interface LlmClient {
  /** @throws LlmError (a request that takes too long is reason `network`), or the signal's reason */
  call(request: LlmRequest): Promise<Completion>;
  /** Retries only while no text and no thought has been yielded. @throws as `call` */
  stream(request: LlmRequest): AsyncGenerator<StreamPart, void, undefined>;
}

/** What a provider needs: the llm profile's connection fields, effective and expanded. */
export interface LlmSettings extends Partial<Omit<EffectiveLlmFields, keyof EffectiveAgentFields | 'default_system_prompt' | 'price'>> {
  readonly provider: string;
  /** Tries per call, the first included. Default 3. */
  readonly retry_attempts?: number;
}

/** What a provider's own `call` and `stream` return; the client adds attempts and latency. */
export type ProviderCompletion = Omit<Completion, 'attempts' | 'latency_ms' | 'budget_limit' | 'failed_usage'>;
export type ProviderPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'completion'; readonly completion: ProviderCompletion };

/** One try, no retries: every failure is an `LlmError` with its reason. */
export interface ProviderConnection {
  call(request: LlmRequest): Promise<ProviderCompletion>;
  stream(request: LlmRequest): AsyncIterable<ProviderPart>;
}
