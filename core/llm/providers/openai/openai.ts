import { checkedBaseUrl } from '../baseUrl.js';
import type { LlmProvider } from '../provider.js';
import { chosenApi } from './chosenApi.js';
import { connectChat } from './connectChat.js';
import { connectResponses } from './connectResponses.js';
import { openaiFacts } from './openaiFacts.js';

/**
 * OpenAI's models, base and fine-tuned (`ft:`), over Chat Completions or, with `options.api`, the Responses API. The key: api_key, api_key_env,
 * else OPENAI_API_KEY.
 */
export const openai: LlmProvider = {
  ...openaiFacts,
  connect: (settings, ports, unsupported) => {
    const { api, options } = chosenApi(settings.options);
    const connect = api === 'responses' ? connectResponses : connectChat;
    return connect({
      settings,
      ports,
      unsupported,
      baseUrl: checkedBaseUrl(settings.base_url ?? openaiFacts.address),
      options,
      dialect: { tokensField: 'max_completion_tokens', isExact: true, takesCacheKey: true },
      keyVariable: openaiFacts.keyVariable,
    });
  },
};
