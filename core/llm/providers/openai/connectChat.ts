import type { JsonObject } from '../../../json.js';
import type { LlmSettings, ProviderConnection } from '../../types.js';
import type { ProviderPorts } from '../provider.js';
import { connectVendor } from '../vendorConnection.js';
import { toCompletion } from './chatAnswer.js';
import { type ChatDialect, refusedByChat, toChatBody } from './chatRequest.js';
import { readChatStream } from './chatStream.js';
import { bearer, type ChatAddress, type ChatBody, connectChatServer } from './sdk.js';

export interface ChatOptions {
  readonly settings: LlmSettings;
  readonly ports: ProviderPorts;
  /** Config names of parameters the model refuses. */
  readonly unsupported: readonly string[];
  readonly baseUrl: string;
  /** Default: `baseUrl`, with the key as a bearer token. */
  readonly address?: ChatAddress;
  /** Sent in the body of every request, under its own fields. Default: the profile's. */
  readonly options?: JsonObject;
  readonly dialect: ChatDialect;
  /** Environment variable that must hold the key when the profile names none. Without it a key is optional. */
  readonly keyVariable?: string;
}

/** Calls of any server that speaks OpenAI's Chat Completions. */
export function connectChat({ dialect, ...chat }: ChatOptions): ProviderConnection {
  const { baseUrl, ports, settings, options = settings.options ?? {} } = chat;
  const address = chat.address ?? { baseUrlFor: () => baseUrl, keyHeader: bearer };
  return connectVendor<ChatBody>({
    ...chat,
    wire: {
      connect: async (key) => {
        const server = await connectChatServer({ address, key, fetch: ports.fetch });
        return {
          post: (body, { signal }) => server.post(body, signal),
          readStream: (response, context) => readChatStream(response, context, dialect),
        };
      },
      toBody: (request, delivery, refused) => toChatBody(request, delivery, { refused, dialect, options }),
      refusedParameter: (refusal, body) => refusedByChat(refusal, body, dialect),
      toCompletion,
    },
  });
}
