import type { JsonObject } from '../../../json.js';
import { createToolIds } from '../../toolIds.js';
import type { LlmRequest, LlmSettings, ProviderCompletion, ProviderConnection, ProviderPart } from '../../types.js';
import { type ApiKey, findApiKey } from '../apiKey.js';
import type { ProviderPorts } from '../provider.js';
import { type AnswerContext, toCompletion } from './chatAnswer.js';
import { toLlmError, toNetworkError } from './chatFailure.js';
import { asksForThoughts, type ChatDialect, type ModelLimits, refusedField, toChatBody } from './chatRequest.js';
import { readChatStream } from './chatStream.js';
import { createToolConverter } from './chatTools.js';
import { type ChatAddress, ChatRefusal, type ChatServer, connectChatServer } from './sdk.js';

export interface ChatOptions {
  readonly settings: LlmSettings;
  readonly ports: ProviderPorts;
  /** Config names of parameters the model refuses. */
  readonly unsupported: readonly string[];
  readonly baseUrl: string;
  /** Default: `/chat/completions` below `baseUrl`, with the key as a bearer token. */
  readonly address?: ChatAddress;
  /** Sent in the body of every request, under its own fields. Default: the profile's. */
  readonly options?: JsonObject;
  readonly dialect: ChatDialect;
  /** Environment variable that must hold the key when the profile names none. Without it a key is optional. */
  readonly keyVariable?: string;
}

/** Calls of any server that speaks OpenAI's Chat Completions. */
export function connectChat(chat: ChatOptions): ProviderConnection {
  const { settings, ports, unsupported, baseUrl, dialect, keyVariable, options = settings.options ?? {} } = chat;
  const address = chat.address ?? plainAddress(baseUrl);
  const server =
    keyVariable === undefined || settings.base_url !== undefined ? `${settings.provider} at ${new URL(baseUrl).origin}` : settings.provider;
  const toolsOf = createToolConverter();
  /** What models take, as far as known; they are asked only once. */
  const limits = new Map<string, ModelLimits>();
  let connected: { readonly key: string | undefined; readonly server: ChatServer } | undefined;

  const serverFor = (key: ApiKey): ChatServer => {
    if (connected === undefined || connected.key !== key.value) {
      connected = { key: key.value, server: connectChatServer({ address, key: key.value, fetch: ports.fetch }) };
    }
    return connected.server;
  };
  const limitsOf = (model: string): ModelLimits => {
    const known = limits.get(model) ?? {
      refused: new Set(unsupported.map((name) => bodyField(name, dialect))),
      tokensField: dialect.tokensField,
    };
    limits.set(model, known);
    return known;
  };
  /** Remembers a field the model does not take. A limit of tokens has a second name to try before it is given up. */
  const learn = (model: string, field: string): void => {
    const known = limitsOf(model);
    const { refused, tokensField } = known;
    if (field !== tokensField || tokensField !== dialect.tokensField)
      limits.set(model, { ...known, refused: new Set([...refused, field]) });
    else limits.set(model, { ...known, tokensField: tokensField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens' });
  };

  /** Sends the request, again without each parameter that the model says it does not take, and with its thoughts where it wants them. */
  const post = async (request: LlmRequest, delivery: 'call' | 'stream'): Promise<{ response: Response; context: AnswerContext }> => {
    const key = await findApiKey(settings, ports, keyVariable);
    const connection = serverFor(key);
    for (;;) {
      const { body, left_out } = toChatBody(request, delivery, { ...limitsOf(request.model), options, toolsOf });
      const toolId = createToolIds(request.messages);
      const context: AnswerContext = { server, model: request.model, key, now: () => ports.clock.now(), left_out, toolId };
      try {
        return { response: await connection.post(body, request.signal), context };
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof ChatRefusal)) throw toNetworkError(error, context);
        if (limitsOf(request.model).wantsThoughts !== true && asksForThoughts(error)) {
          limits.set(request.model, { ...limitsOf(request.model), wantsThoughts: true });
          continue;
        }
        const field = refusedField(error, body, dialect);
        if (field === undefined) throw toLlmError(error, context);
        learn(request.model, field);
      }
    }
  };

  const call = async (request: LlmRequest): Promise<ProviderCompletion> => {
    const { response, context } = await post(request, 'call');
    const text = await response.text().catch((error: unknown) => {
      request.signal?.throwIfAborted();
      throw toNetworkError(error, context);
    });
    return toCompletion(text, context);
  };
  async function* stream(request: LlmRequest): AsyncGenerator<ProviderPart, void, undefined> {
    const { response, context } = await post(request, 'stream');
    yield* readChatStream(response, dialect, context, ports.clock, request.signal);
    request.signal?.throwIfAborted();
  }
  return { call, stream };
}

function plainAddress(baseUrl: string): ChatAddress {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/chat/completions`;
  return { urlFor: () => url.href, keyHeader: (key) => ({ authorization: `Bearer ${key}` }) };
}

function bodyField(configName: string, { tokensField }: ChatDialect): string {
  return configName === 'max_output_tokens' ? tokensField : configName;
}
