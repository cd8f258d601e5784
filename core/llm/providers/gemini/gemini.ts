import { checkedBaseUrl } from '../baseUrl.js';
import type { LlmProvider } from '../provider.js';
import { connectVendor } from '../vendorConnection.js';
import { toCompletion } from './geminiAnswer.js';
import { geminiFacts } from './geminiFacts.js';
import { type GeminiBody, refusedByGemini, toGeminiBody } from './geminiRequest.js';
import { readGeminiStream } from './geminiStream.js';
import { connectGeminiServer } from './sdk.js';

/** Google's Gemini models over the Gemini API. The key: api_key, api_key_env, else GEMINI_API_KEY. */
export const gemini: LlmProvider = {
  ...geminiFacts,
  connect: (settings, ports, unsupported) => {
    const baseUrl = checkedBaseUrl(settings.base_url ?? 'https://generativelanguage.googleapis.com/v1beta');
    const options = settings.options ?? {};
    return connectVendor<GeminiBody>({
      settings,
      ports,
      unsupported,
      keyVariable: geminiFacts.keyVariable,
      baseUrl,
      wire: {
        connect: async (key = '') => ({
          post: await connectGeminiServer({ baseUrl, key, fetch: ports.fetch }),
          readStream: readGeminiStream,
        }),
        toBody: (request, _delivery, refused) => toGeminiBody(request, options, refused),
        refusedParameter: refusedByGemini,
        toCompletion,
      },
    });
  },
};
