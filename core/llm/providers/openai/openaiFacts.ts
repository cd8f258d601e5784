import type { ProviderFacts } from '../provider.js';

export const openaiFacts = {
  name: 'openai',
  keyVariable: 'OPENAI_API_KEY',
  hasKnownModels: true,
  tokenizer: 'openai',
} satisfies ProviderFacts;
