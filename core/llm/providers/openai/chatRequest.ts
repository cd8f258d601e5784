import { LlmError } from '../../../errors.js';
import type { JsonObject } from '../../../json.js';
import type { LlmRequest, ToolDefinition } from '../../types.js';
import { errorWords } from './chatFailure.js';
import { toChatMessages } from './chatMessages.js';
import type { ChatTool } from './chatTools.js';
import type { ChatBody, ChatRefusal } from './sdk.js';

/** How a server spells what servers spell differently, and how much of the format it keeps to. */
export interface ChatDialect {
  readonly tokensField: 'max_completion_tokens' | 'max_tokens';
  /** Whether the server is known to send usage, `finish_reason` and `[DONE]`, and precise error codes. */
  readonly isExact: boolean;
}

/** What is known about a model besides the request. */
export interface ModelLimits {
  /** Body fields the model refuses. */
  readonly refused: ReadonlySet<string>;
  readonly tokensField: ChatDialect['tokensField'];
  /** Whether it wants its thoughts back, as DeepSeek's models do once they call tools. Default false. */
  readonly wantsThoughts?: boolean;
}

/** What a body is made with besides the request. */
export interface BodyContext extends ModelLimits {
  /** `options` of the profile. */
  readonly options: JsonObject;
  readonly toolsOf: (tools: readonly ToolDefinition[]) => readonly ChatTool[];
}

/** Config names of the body fields that have one. */
const configNames: Readonly<Record<string, string>> = { max_tokens: 'max_output_tokens', max_completion_tokens: 'max_output_tokens' };

/**
 * The body of a Chat Completions request. `options` are sent as they are, under the request's own fields;
 * `options.response_format: "none"` means that none is sent. `left_out` lists, by their config names, what was asked for
 * but is refused by the model.
 */
export function toChatBody(
  request: LlmRequest,
  delivery: 'call' | 'stream',
  { options, refused, tokensField, wantsThoughts, toolsOf }: BodyContext,
): { readonly body: ChatBody; readonly left_out: readonly string[] } {
  const { response_format: optionFormat, stream: _stream, stream_options: streamOptions, ...rest } = options;
  const format = optionFormat === undefined ? (request.response_format ?? undefined) : optionFormat === 'none' ? undefined : optionFormat;
  const fields: Record<string, unknown> = {
    ...rest,
    model: request.model,
    messages: toChatMessages(request.messages, wantsThoughts),
    ...(request.tools !== undefined && request.tools.length > 0 && { tools: toolsOf(request.tools) }),
    ...(request.stop !== undefined && request.stop.length > 0 && { stop: request.stop }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.top_p !== undefined && { top_p: request.top_p }),
    ...(request.max_tokens !== undefined && { [tokensField]: request.max_tokens }),
    ...(format !== undefined && { response_format: format }),
    ...(delivery === 'stream' && { stream: true, stream_options: { ...(streamOptions as object | undefined), include_usage: true } }),
  };
  const left_out: string[] = [];
  for (const name of refused) {
    if (!Object.hasOwn(fields, name)) continue;
    delete fields[name];
    if (!unreported.has(name)) left_out.push(configNames[name] ?? name);
  }
  // The options are the user's word; whether the server knows them is for the server to say.
  return { body: fields as unknown as ChatBody, left_out };
}

/** Fields that nobody set in a config. */
const unreported = new Set(['stream_options', 'stop']);

/** Fields no request can do without, or whose absence would change what the answer is. */
const kept = new Set(['model', 'messages', 'stream', 'response_format', 'tools', 'n']);

/**
 * The field that an error answer says the model does not take, if the request holds it and can be sent without it. An
 * exact server names it in `param`; of others the words are believed for the fields that models differ in.
 */
export function refusedField(refusal: ChatRefusal, body: ChatBody, { isExact }: ChatDialect): string | undefined {
  if (refusal.status !== 400 && refusal.status !== 422) return undefined;
  const { code, param, message } = errorWords(refusal.body, undefined);
  const isRemovable = (name: string) => Object.hasOwn(body, name) && !kept.has(name);
  if (/unsupported_(parameter|value)/.test(code) && param !== undefined) return isRemovable(param) ? param : undefined;
  if (isExact || !/support|unrecogni[sz]ed|unknown|unexpected|extra|not (permitted|allowed)|deprecated/i.test(message)) return undefined;
  const optional = ['stream_options', 'max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'stop'];
  return optional.find((name) => isRemovable(name) && new RegExp(`\\b${name}\\b`).test(message));
}

/** Whether an error answer says that the model's thoughts should have been sent back. */
export function asksForThoughts(refusal: ChatRefusal): boolean {
  if (refusal.status !== 400 && refusal.status !== 422) return false;
  const { message } = errorWords(refusal.body, undefined);
  return /\breasoning_content\b/.test(message) && /miss|required|must|passed? back/i.test(message);
}

/** The base address of a profile. @throws LlmError when it is no http or https address, or holds credentials */
export function checkedBaseUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new LlmError(
      'bad-request',
      `base_url ${JSON.stringify(address)} is no http or https address, such as "http://127.0.0.1:11434/v1".`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new LlmError('bad-request', 'base_url holds a user name or password. Use api_key ("secret://NAME") or api_key_env instead.');
  }
  return address;
}
