import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../core/json.js';
import type { LlmSettings, Message, TokenUsage, ToolDefinition } from '../../../core/llm/types.js';

/**
 * What the conformance suite (conformance.test.ts) asks of a provider: one `WireProvider` in providers.ts. It says how a scripted answer
 * looks in the provider's wire format and how a request in that format is read back; servers, faults, expectations are the suite's.
 */
export interface WireProvider {
  /** As configs name it. */
  readonly name: string;
  /** What the suite calls it, where a provider has several wire formats. Default: `name`. */
  readonly title?: string;
  /** Settings beside provider and base_url, e.g. `options`. */
  readonly settings?: Partial<LlmSettings>;
  /** What the suite's server is called in the settings: its origin with the path this provider expects, e.g. `${origin}/v1`. */
  baseUrl(origin: string): string;
  /** Environment variable of the key, and whether a call without one is refused (`no-key`) before anything is sent. */
  readonly keyVariable: string;
  readonly needsKey: boolean;
  /** The key a request carries, from its headers (or its path), as the provider documents it. */
  keyOf(request: WireRequest): string | undefined;
  /** What of `WireFeature` the wire format has no words for; everything else is tested. */
  readonly lacks: readonly WireFeature[];
  /**
   * What the vendor would answer to a request it does not take (unknown field, wrong type, wrong path, conversation out of order), or
   * undefined. Checked against the types the SDK publishes; a refusal fails the test that sent the request.
   */
  refuse(request: WireRequest): string | undefined;
  /** The answer in the wire format: a stream's text where the request asked for a stream. `reply` holds only what the format can say. */
  write(request: WireRequest, reply: WireAnswer | WireFailure): WireBytes;
  /** The request in our form again. */
  read(request: WireRequest): Heard;
  /**
   * What of a conversation arrives: the provider's documented losses (thoughts that are not sent back, order of blocks, names), nothing
   * else. The suite compares `normalized(heard.messages)` with `normalized(carried(sent))`.
   */
  carried(messages: readonly Message[]): readonly Message[];
}

export type WireFeature =
  /** Thoughts in answers. */
  | 'thinking'
  /** Ids of tool calls. */
  | 'tool-ids'
  /** Several tool calls in one answer. */
  | 'parallel-tools'
  /** A result that says of itself that it is an error. */
  | 'error-results'
  /** A schema for the answer. */
  | 'response-format'
  /** Texts that end an answer. */
  | 'stop'
  | 'cached-tokens'
  /** Tokens written to a cache. */
  | 'written-tokens'
  /** Usage, in whole and streamed answers. */
  | 'usage'
  /** The ways an answer ends, and the failures, by their names here. */
  | `finish:${WireFinish}`
  | `failure:${WireFailureKind}`
  /** An error after the first text of a stream. */
  | 'stream-error';

export interface WireRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  /** Whether the client cut the connection before the answer was complete. */
  aborted: boolean;
}

export interface WireBytes {
  readonly status: number;
  /** `content-type` included. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WireFinish = 'stop' | 'stop-sequence' | 'length' | 'tool-use' | 'content-filter' | 'refusal' | 'unknown';

export type WireBlock =
  /** The pieces are deltas of a stream, joined where the answer is whole. */
  | { readonly type: 'text'; readonly pieces: readonly string[] }
  | { readonly type: 'thinking'; readonly pieces: readonly string[]; readonly signature?: string }
  /** A thought that is not shown. */
  | { readonly type: 'redacted'; readonly signature: string }
  /** `pieces`: the input's JSON text as it is streamed, where the format streams it. */
  | {
      readonly type: 'tool-use';
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
      readonly pieces?: readonly string[];
      readonly signature?: string;
    };

export interface WireAnswer {
  readonly type: 'answer';
  readonly blocks: readonly WireBlock[];
  /** Default: tool-use where a block is one, else stop. */
  readonly finish?: WireFinish;
  /** The vendor's word for why it ended, in place of the one for `finish`. */
  readonly word?: string;
  /** `prompt_tokens` includes the cached ones, as everywhere in ours; the format may count otherwise. */
  readonly usage?: TokenUsage;
  /** The stream breaks off with this error after the blocks, in place of its end. */
  readonly brokenBy?: WireFailure;
  readonly fault?: WireFault;
}

export type WireFailureKind =
  /** 401 */
  | 'wrong-key'
  /** 403 */
  | 'forbidden'
  /** 404 */
  | 'unknown-model'
  /** 429 */
  | 'rate-limit'
  /** The account is out of money, however the vendor says that. */
  | 'quota'
  /** 500 */
  | 'server'
  /** 503, 529 */
  | 'overloaded'
  /** 400: the prompt is longer than the context window. */
  | 'too-long'
  /** The prompt itself is filtered. */
  | 'filtered-prompt'
  /** 400 */
  | 'bad-request';

export interface WireFailure {
  readonly type: 'failure';
  readonly kind: WireFailureKind;
  /** The vendor's words; those it usually says when absent. */
  readonly message?: string;
  /** Seconds, as header `Retry-After`. */
  readonly retry_after?: number;
}

/** Before the headers, or after half of the body. */
export type WireFault = 'close' | 'hang' | 'close-mid-body' | 'hang-mid-body';

export type WireReply = WireAnswer | WireFailure;

/** A request as the provider's server understood it. */
export interface Heard {
  readonly model: string;
  /** With the system texts as system messages. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Of the response format. */
  readonly schema?: JsonObject;
  readonly stop?: readonly string[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly isStream: boolean;
}
