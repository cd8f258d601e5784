import { checkedBaseUrl } from '../baseUrl.js';
import type { LlmProvider } from '../provider.js';
import { connectChat } from './connectChat.js';
import { openaiFacts } from './openaiFacts.js';

/** OpenAI's chat models, base and fine-tuned (`ft:`), over Chat Completions. The key: api_key, api_key_env, else OPENAI_API_KEY. */
export const openai: LlmProvider = {
  ...openaiFacts,
  connect: (settings, ports, unsupported) =>
    connectChat({
      settings,
      ports,
      unsupported,
      baseUrl: checkedBaseUrl(settings.base_url ?? 'https://api.openai.com/v1'),
      dialect: { tokensField: 'max_completion_tokens', isExact: true },
      keyVariable: openaiFacts.keyVariable,
    }),
};
