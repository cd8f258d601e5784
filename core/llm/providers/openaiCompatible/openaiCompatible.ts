import { LlmError } from '../../../errors.js';
import { checkedBaseUrl } from '../baseUrl.js';
import { connectChat } from '../openai/connectChat.js';
import type { LlmProvider } from '../provider.js';

/** Servers with their own dialect of Chat Completions: Ollama, LM Studio, llama.cpp, vLLM, OpenRouter. A key is optional. */
export const openaiCompatible: LlmProvider = {
  name: 'openai_compatible',
  connect: (settings, ports, unsupported) => {
    if (settings.base_url === undefined) {
      throw new LlmError('bad-request', 'The provider openai_compatible needs base_url, such as "http://127.0.0.1:11434/v1" for Ollama.');
    }
    return connectChat({
      settings,
      ports,
      unsupported,
      baseUrl: checkedBaseUrl(settings.base_url),
      dialect: { tokensField: 'max_tokens', isExact: false },
    });
  },
};
