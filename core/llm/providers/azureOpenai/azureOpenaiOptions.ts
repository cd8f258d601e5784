import { openaiOptions } from '../openai/openaiOptions.js';
import type { ProviderOptions } from '../provider.js';

export const azureOpenaiOptions = {
  ...openaiOptions,
  name: 'azure_openai',
  schema: {
    ...openaiOptions.schema,
    properties: {
      ...openaiOptions.schema.properties,
      api_version: {
        description:
          'A version of the API, which is its date. It is part of the address. Without it, the v1 API is called, which has no versions.',
        type: 'string',
        examples: ['2024-10-21'],
      },
    },
  },
} satisfies ProviderOptions;
