import { caching } from '../openai/openaiFacts.js';
import type { ProviderFacts } from '../provider.js';

export const azureOpenaiFacts = {
  name: 'azure_openai',
  keyVariable: 'AZURE_OPENAI_API_KEY',
  modelsOf: 'openai',
  tokenizer: 'openai',
  hasStrictSchemas: true,
  caching,
  telemetryName: 'azure.ai.openai',
} satisfies ProviderFacts;
