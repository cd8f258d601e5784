import type { ProviderPart } from '../../types.js';
import { checkedBaseUrl } from '../baseUrl.js';
import type { LlmProvider } from '../provider.js';
import type { VendorContext } from '../types.js';
import { readEventParts } from '../vendorBody.js';
import { connectVendor } from '../vendorConnection.js';
import { createGeminiAnswer, toCompletion } from './geminiAnswer.js';
import { geminiFacts } from './geminiFacts.js';
import { type GeminiBody, refusedByGemini, toGeminiBody } from './geminiRequest.js';
import { connectGeminiServer } from './sdk.js';

/** Google's Gemini models over the Gemini API. The key: api_key, api_key_env, else GEMINI_API_KEY. */
export const gemini: LlmProvider = {
  ...geminiFacts,
  connect: (settings, ports, unsupported) => {
    const baseUrl = checkedBaseUrl(settings.base_url ?? geminiFacts.address);
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

/**
 * Reads a streamed answer: texts and thoughts as they come, then the completion with everything. The format has no final event: the answer
 * is complete when the body has ended and a chunk has said why the model stopped.
 *
 * @throws LlmError, or the signal's reason
 */
async function* readGeminiStream(response: Response, context: VendorContext): AsyncGenerator<ProviderPart, void, undefined> {
  const answer = createGeminiAnswer(context);
  yield* readEventParts(response, context, { take: answer.take, isOver: () => false });
  yield { type: 'completion', completion: answer.conclude('stream') };
}
