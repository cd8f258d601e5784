import type { JsonObject } from '../../../json.js';
import type { LlmRequest } from '../../types.js';
import type { Delivery } from '../types.js';
import { errorWords } from '../vendorFailure.js';
import type { VendorRefusal } from '../vendorRefusal.js';
import { toChatMessages } from './chatMessages.js';
import { toChatTools } from './chatTools.js';
import { refusedField } from './refusedField.js';
import type { ChatBody } from './sdk.js';

/** How a server spells the fields that differ between servers, and how closely it follows the format. */
export interface ChatDialect {
  readonly tokensField: TokensField;
  /** Whether the server is known to send usage, `finish_reason`, `[DONE]` and precise error codes. */
  readonly isExact: boolean;
  /** Whether it accepts `prompt_cache_key`. Default false. */
  readonly takesCacheKey?: true;
}

type TokensField = (typeof tokensFields)[number];
const tokensFields = ['max_completion_tokens', 'max_tokens'] as const;

/** What a body is built from besides the request. */
export interface BodyContext {
  readonly dialect: ChatDialect;
  /** `options` of the profile. */
  readonly options: JsonObject;
  /** Body fields and config names that the model refuses, and `leavingThoughtsOut`. */
  readonly refused: ReadonlySet<string>;
}

/** Refused by models that require their thoughts back, as DeepSeek's do once they call tools. */
const leavingThoughtsOut = 'thoughts left out';

/**
 * The body of a Chat Completions request. `options` are sent as they are, under the request's own fields;
 * `options.response_format: "none"` means that none is sent. `left_out` lists, by their config names, the requested parameters
 * that the model refuses.
 */
export function toChatBody(
  request: LlmRequest,
  delivery: Delivery,
  { options, refused, dialect }: BodyContext,
): { readonly body: ChatBody; readonly left_out: readonly string[] } {
  const { response_format: optionFormat, stream: _stream, stream_options: streamOptions, ...rest } = options;
  const format = optionFormat === undefined ? (request.response_format ?? undefined) : optionFormat === 'none' ? undefined : optionFormat;
  const tokensField = tokensFieldOf(dialect, refused);
  const fields: Record<string, unknown> = {
    ...(dialect.takesCacheKey && request.cache && { prompt_cache_key: request.cache.key }),
    ...rest,
    model: request.model,
    messages: toChatMessages(request.messages, refused.has(leavingThoughtsOut)),
    ...(request.tools !== undefined && request.tools.length > 0 && { tools: toChatTools(request.tools) }),
    ...(request.stop !== undefined && request.stop.length > 0 && { stop: request.stop }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.top_p !== undefined && { top_p: request.top_p }),
    ...(request.max_tokens !== undefined && tokensField !== undefined && { [tokensField]: request.max_tokens }),
    ...(format !== undefined && { response_format: format }),
    ...(delivery === 'stream' && { stream: true, stream_options: { ...(streamOptions as object | undefined), include_usage: true } }),
  };
  const left_out: string[] = [];
  for (const name of refused) {
    if (!Object.hasOwn(fields, name)) continue;
    delete fields[name];
    if (!unreported.has(name)) left_out.push(name);
  }
  if (request.max_tokens !== undefined && tokensField === undefined) left_out.push('max_output_tokens');
  // The options are not checked here: the server reports what it does not know.
  return { body: fields as unknown as ChatBody, left_out };
}

/** The field of the dialect, else the other one; undefined where the model refuses both. */
function tokensFieldOf({ tokensField }: ChatDialect, refused: ReadonlySet<string>): TokensField | undefined {
  if (refused.has('max_output_tokens')) return undefined;
  return [tokensField, ...tokensFields].find((field) => !refused.has(field));
}

/** Not reported as left out: fields that no config sets, and those reported as `max_output_tokens`. */
const unreported: ReadonlySet<string> = new Set(['stream_options', 'stop', 'prompt_cache_key', ...tokensFields]);

/** Fields that every request needs, or whose absence would change the meaning of the answer. */
const kept: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'response_format', 'tools', 'n']);
const optional = ['stream_options', 'max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'stop'];

/** What the model does not accept according to an error answer: a field of the body, or `leavingThoughtsOut`. */
export function refusedByChat(refusal: VendorRefusal, body: ChatBody, { isExact }: ChatDialect): string | undefined {
  const { message } = errorWords(refusal.body, undefined);
  const isRequestFault = refusal.status === 400 || refusal.status === 422;
  if (isRequestFault && /\breasoning_content\b/.test(message) && /miss|required|must|passed? back/i.test(message))
    return leavingThoughtsOut;
  return refusedField(refusal, { body, isExact, kept, optional });
}
