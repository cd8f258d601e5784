import { isObject, type Json, type JsonObject } from '../../../json.js';
import type { LlmRequest, ResponseFormat } from '../../types.js';
import type { Delivery } from '../types.js';
import { errorWords } from '../vendorFailure.js';
import type { VendorRefusal } from '../vendorRefusal.js';
import { toChatTools } from './chatTools.js';
import { refusedField } from './refusedField.js';
import { toResponsesInput } from './responsesInput.js';
import type { ResponsesBody } from './sdk.js';

export interface ResponsesContext {
  /** `options` of the profile, without `api`. */
  readonly options: JsonObject;
  /** Body fields that the model refuses, and `thoughts`. */
  readonly refused: ReadonlySet<string>;
}

/** Reported as left out when no thought is sent back. */
const thoughts = 'thoughts';

/**
 * The body of a Responses request. `options` are sent as they are, under the request's own fields; `options.text` keeps its other fields,
 * and `options.text.format` is replaced. The server stores nothing unless `options.store` says so: thoughts arrive encrypted
 * and are sent back with the next request. The API has no stop sequences. `left_out` lists, by their config names, the requested
 * parameters that the model refuses.
 */
export function toResponsesBody(
  request: LlmRequest,
  delivery: Delivery,
  { options, refused }: ResponsesContext,
): { readonly body: ResponsesBody; readonly left_out: readonly string[] } {
  const { stream: _stream, input: _input, text: textOptions, include, store = false, ...rest } = options;
  const ownText = isObject(textOptions) ? textOptions : {};
  const format = ownText.format === undefined ? toTextFormat(request.response_format) : undefined;
  const text: JsonObject = { ...ownText, ...(format && { format }) };
  const included = Array.isArray(include) ? (include as readonly Json[]).filter((each) => each !== encrypted) : [];
  const fields: Record<string, unknown> = {
    ...(request.cache && { prompt_cache_key: request.cache.key }),
    ...rest,
    model: request.model,
    input: toResponsesInput(request.messages, !refused.has(thoughts)),
    store,
    ...(!refused.has('include') && { include: [...included, encrypted] }),
    ...(refused.has('include') && included.length > 0 && { include: included }),
    ...(request.tools !== undefined && request.tools.length > 0 && { tools: toResponsesTools(request) }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.top_p !== undefined && { top_p: request.top_p }),
    ...(request.max_tokens !== undefined && { max_output_tokens: request.max_tokens }),
    ...(Object.keys(text).length > 0 && { text }),
    ...(delivery === 'stream' && { stream: true }),
  };
  const left_out: string[] = refused.has(thoughts) ? [thoughts] : [];
  for (const name of refused) {
    if (name === 'include' || !Object.hasOwn(fields, name)) continue;
    delete fields[name];
    if (name !== 'prompt_cache_key') left_out.push(name);
  }
  // The options are not checked here: the server reports what it does not know.
  return { body: fields as unknown as ResponsesBody, left_out };
}

const encrypted = 'reasoning.encrypted_content';

function toTextFormat(format: ResponseFormat | null | undefined): JsonObject | undefined {
  if (!format) return undefined;
  const { name, schema, strict } = format.json_schema;
  return { type: 'json_schema', name, schema, strict };
}

/** Tools are flat here, and strict by default, which the parameters of ours need not be. */
function toResponsesTools({ tools = [] }: LlmRequest): readonly JsonObject[] {
  return toChatTools(tools).map(({ function: { name, description, parameters } }) => ({
    type: 'function',
    name,
    description,
    parameters,
    strict: false,
  }));
}

const kept: ReadonlySet<string> = new Set(['model', 'input', 'stream', 'text', 'tools', 'store', 'include']);

/**
 * What the model does not accept according to an error answer. Models that do not reason refuse to encrypt thoughts; and thoughts that can no
 * longer be read, such as those from before a change of account, are left out.
 */
export function refusedByResponses(refusal: VendorRefusal, body: ResponsesBody, isExact: boolean): string | undefined {
  if (refusal.status === 400) {
    const { message, param } = errorWords(refusal.body, undefined);
    const isAboutThoughts = /encrypted[ _]content|'?reasoning'? (item|was provided)/i.test(message);
    const hasThoughts = (body.input as unknown as readonly JsonObject[]).some(({ type }) => type === 'reasoning');
    if ((param === 'include' || isAboutThoughts) && /support/i.test(message)) return 'include';
    if (isAboutThoughts && hasThoughts) return thoughts;
  }
  return refusedField(refusal, { body, isExact, kept, optional: ['max_output_tokens', 'temperature', 'top_p'] });
}
