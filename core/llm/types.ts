import type { JsonObject } from '../json.js';

export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
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

/** One model call. Knows nothing of agents. */
export interface LlmRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  /** As `compose` returns it; null and undefined ask for none. */
  readonly response_format?: ResponseFormat | null | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  /** Most tokens the answer may have. */
  readonly max_tokens?: number | undefined;
  readonly signal?: AbortSignal;
  /** Moment (`Clock.monotonic()`, in ms) at which the caller gives up: a wait between tries that would pass it is not begun. */
  readonly deadline?: number;
}

export interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens: number;
}

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'refusal' | 'tool_use' | 'other';

export interface Completion {
  readonly text: string;
  readonly finish_reason: FinishReason;
  /** Undefined when the provider did not say. */
  readonly usage: TokenUsage | undefined;
  /** Counted by us, because the provider tells no usage. Default false. */
  readonly isUsageEstimated?: boolean;
  /** The model that answered, as the provider names it. */
  readonly model: string;
  readonly id: string | undefined;
  /** Parameters left out because the model refuses them. */
  readonly left_out: readonly string[];
  /** True for the `offline` provider: no model was asked. */
  readonly simulated: boolean;
  /** How many tries it took, 1 for the first. */
  readonly attempts: number;
  /** From request to end of the answer, in ms, waits included. */
  readonly latency_ms: number;
}

/** What a stream yields: text as it comes, `retry` before a wait, and `completion` once, last. */
export type StreamPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'retry'; readonly attempt: number; readonly wait_ms: number; readonly reason: string }
  | { readonly type: 'completion'; readonly completion: Completion };

export interface LlmClient {
  /** @throws LlmError (a request that takes too long is reason `network`), or the signal's reason */
  call(request: LlmRequest): Promise<Completion>;
  /** Retries only while no text has been yielded. @throws as `call` */
  stream(request: LlmRequest): AsyncGenerator<StreamPart, void, undefined>;
}

export type { LlmSettings } from '../config/llmSettings.js';

/** What a provider's own `call` and `stream` return; the client adds attempts and latency. */
export type ProviderCompletion = Omit<Completion, 'attempts' | 'latency_ms'>;
export type ProviderPart =
  /** Texts that have come together; they are yielded one by one. */
  { readonly type: 'texts'; readonly texts: readonly string[] } | { readonly type: 'completion'; readonly completion: ProviderCompletion };

/** One try, no retries: every failure is an `LlmError` with its reason. */
export interface ProviderConnection {
  call(request: LlmRequest): Promise<ProviderCompletion>;
  stream(request: LlmRequest): AsyncIterable<ProviderPart>;
}
