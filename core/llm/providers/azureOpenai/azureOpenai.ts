import { LlmError } from '../../../errors.js';
import { checkedBaseUrl } from '../baseUrl.js';
import { chosenApi } from '../openai/chosenApi.js';
import { connectChat } from '../openai/connectChat.js';
import { connectResponses } from '../openai/connectResponses.js';
import type { LlmProvider } from '../provider.js';
import { azureAddress } from './azureAddress.js';
import { azureOpenaiFacts } from './azureOpenaiFacts.js';

/**
 * Models deployed on Azure, over Chat Completions or, with `options.api`, the Responses API; `model_name` is the name of the deployment. `base_url` is the endpoint of the resource.
 * With `options.api_version` (a date) requests take the form of that version, without it that of the v1 API, which has no versions.
 */
export const azureOpenai: LlmProvider = {
  ...azureOpenaiFacts,
  connect: (settings, ports, unsupported) => {
    if (settings.base_url === undefined) {
      throw new LlmError(
        'bad-request',
        'The provider azure_openai needs base_url, the endpoint of your resource, such as "https://YOUR-RESOURCE.openai.azure.com".',
      );
    }
    const { api, options: chosenOptions } = chosenApi(settings.options);
    const { api_version: apiVersion, ...options } = chosenOptions;
    if (apiVersion !== undefined && (typeof apiVersion !== 'string' || apiVersion === '')) {
      throw new LlmError('bad-request', 'options.api_version must be a text such as "2024-10-21"; without it the v1 API is used.');
    }
    const baseUrl = checkedBaseUrl(settings.base_url);
    const connect = api === 'responses' ? connectResponses : connectChat;
    return connect({
      settings,
      ports,
      unsupported,
      baseUrl,
      address: azureAddress(baseUrl, apiVersion, api),
      options,
      // Deployments of other vendors' models answer here too, and older versions refuse parameters only in their message.
      dialect: { tokensField: 'max_completion_tokens', isExact: false, takesCacheKey: true },
      keyVariable: azureOpenaiFacts.keyVariable,
    });
  },
};
