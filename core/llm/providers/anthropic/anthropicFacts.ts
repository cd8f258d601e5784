import type { ProviderFacts } from '../provider.js';

export const anthropicFacts = { name: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY', hasKnownModels: true } satisfies ProviderFacts;
