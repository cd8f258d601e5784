import type { LlmRequest, LlmSettings, ProviderCompletion, ProviderConnection, ProviderPart } from '../../types.js';
import { type ApiKey, findApiKey } from '../apiKey.js';
import type { ProviderPorts } from '../provider.js';
import { type AnswerContext, toCompletion } from './chatAnswer.js';
import { toLlmError, toNetworkError } from './chatFailure.js';
import { type ChatDialect, type ModelLimits, refusedField, toChatBody } from './chatRequest.js';
import { readChatStream } from './chatStream.js';
import { ChatRefusal, type ChatServer, connectChatServer } from './sdk.js';

export interface ChatOptions {
  readonly settings: LlmSettings;
  readonly ports: ProviderPorts;
  /** Config names of parameters the model refuses. */
  readonly unsupported: readonly string[];
  readonly baseUrl: string;
  readonly dialect: ChatDialect;
  /** Environment variable that must hold the key when the profile names none. Without it a key is optional. */
  readonly keyVariable?: string;
}

/** Calls of any server that speaks OpenAI's Chat Completions. */
export function connectChat({ settings, ports, unsupported, baseUrl, dialect, keyVariable }: ChatOptions): ProviderConnection {
  const server =
    keyVariable === undefined || settings.base_url !== undefined ? `${settings.provider} at ${new URL(baseUrl).origin}` : settings.provider;
  const options = settings.options ?? {};
  /** What models take, as far as known; they are asked only once. */
  const limits = new Map<string, ModelLimits>();
  let connected: { readonly key: string | undefined; readonly server: Promise<ChatServer> } | undefined;

  const serverFor = (key: ApiKey): Promise<ChatServer> => {
    if (connected === undefined || connected.key !== key.value) {
      connected = { key: key.value, server: connectChatServer({ baseUrl, key: key.value, fetch: ports.fetch }) };
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
    const { refused, tokensField } = limitsOf(model);
    if (field !== tokensField || tokensField !== dialect.tokensField)
      limits.set(model, { refused: new Set([...refused, field]), tokensField });
    else limits.set(model, { refused, tokensField: tokensField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens' });
  };

  /** Sends the request, again without each parameter that the model says it does not take. */
  const post = async (request: LlmRequest, delivery: 'call' | 'stream'): Promise<{ response: Response; context: AnswerContext }> => {
    const key = await findApiKey(settings, ports, keyVariable);
    const chat = await serverFor(key);
    for (;;) {
      const { body, left_out } = toChatBody(request, options, delivery, limitsOf(request.model));
      const context: AnswerContext = { server, model: request.model, key, now: () => ports.clock.now(), left_out };
      try {
        return { response: await chat.post(body, request.signal), context };
      } catch (error) {
        request.signal?.throwIfAborted();
        if (!(error instanceof ChatRefusal)) throw toNetworkError(error, context);
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

function bodyField(configName: string, { tokensField }: ChatDialect): string {
  return configName === 'max_output_tokens' ? tokensField : configName;
}
