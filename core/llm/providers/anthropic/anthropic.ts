import { checkedBaseUrl } from '../openai/chatRequest.js';
import type { LlmProvider } from '../provider.js';
import { connectVendor } from '../vendorConnection.js';
import { toCompletion } from './messagesAnswer.js';
import { type MessagesBody, refusedByMessages, toMessagesBody } from './messagesRequest.js';
import { readMessagesStream } from './messagesStream.js';
import { connectMessagesServer } from './sdk.js';

const keyVariable = 'ANTHROPIC_API_KEY';

/** Anthropic's Claude models over the Messages API. The key: api_key, api_key_env, else ANTHROPIC_API_KEY. */
export const anthropic: LlmProvider = {
  name: 'anthropic',
  keyVariable,
  connect: (settings, ports, unsupported) => {
    const baseUrl = checkedBaseUrl(settings.base_url ?? 'https://api.anthropic.com');
    const options = settings.options ?? {};
    return connectVendor<MessagesBody>({
      settings,
      ports,
      unsupported,
      keyVariable,
      baseUrl,
      wire: {
        connect: (key) => connectMessagesServer({ baseUrl, key, fetch: ports.fetch }),
        toBody: (request, delivery, refused) => toMessagesBody(request, options, delivery, refused),
        refusedParameter: refusedByMessages,
        toCompletion,
        readStream: (response, context) => readMessagesStream(response, context, ports.clock),
      },
    });
  },
};
