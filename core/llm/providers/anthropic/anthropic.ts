import { listOf } from '../../../json.js';
import { createModelTable } from '../../modelTable.js';
import { checkedBaseUrl } from '../baseUrl.js';
import type { LlmProvider } from '../provider.js';
import { connectVendor } from '../vendorConnection.js';
import { anthropicFacts } from './anthropicFacts.js';
import { toCompletion } from './messagesAnswer.js';
import { type MessagesBody, type MessagesProfile, refusedByMessages, toMessagesBody } from './messagesRequest.js';
import { readMessagesStream } from './messagesStream.js';
import { connectMessagesServer } from './sdk.js';

/** Anthropic's Claude models over the Messages API. The key: api_key, api_key_env, else ANTHROPIC_API_KEY. */
export const anthropic: LlmProvider = {
  ...anthropicFacts,
  connect: (settings, ports, unsupported) => {
    const baseUrl = checkedBaseUrl(settings.base_url ?? anthropicFacts.address);
    const models = createModelTable();
    const profile: MessagesProfile = {
      options: settings.options ?? {},
      mostTokens: (model) => models.find(model, 'anthropic')?.max_output_tokens,
    };
    return connectVendor<MessagesBody>({
      settings,
      ports,
      unsupported,
      keyVariable: anthropicFacts.keyVariable,
      baseUrl,
      wire: {
        connect: async (key = '') => ({
          post: await connectMessagesServer({ baseUrl, key, fetch: ports.fetch }),
          readStream: readMessagesStream,
        }),
        toBody: (request, delivery, refused) => toMessagesBody(request, profile, delivery, refused),
        refusedParameter: refusedByMessages,
        toCompletion,
        resume: ({ body, betas }, sentContent) => ({
          body: { ...body, messages: [...listOf(body.messages), { role: 'assistant', content: [...sentContent] }] },
          betas,
        }),
      },
    });
  },
};
