import { chatOptions } from '../openai/openaiOptions.js';
import type { ProviderOptions } from '../provider.js';

export const openaiCompatibleOptions = {
  name: 'openai_compatible',
  source: 'Chat Completions of OpenAI; your server may take other options',
  schema: { properties: chatOptions },
} satisfies ProviderOptions;
