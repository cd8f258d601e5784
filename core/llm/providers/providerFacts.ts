import { anthropicFacts } from './anthropic/anthropicFacts.js';
import { azureOpenaiFacts } from './azureOpenai/azureOpenaiFacts.js';
import { geminiFacts } from './gemini/geminiFacts.js';
import { openaiFacts } from './openai/openaiFacts.js';
import type { CachingFacts, ProviderFacts } from './provider.js';

/** What is known of vendors without asking them; a vendor that is not here has nothing of its own. */
export const providerFacts: readonly ProviderFacts[] = [openaiFacts, azureOpenaiFacts, anthropicFacts, geminiFacts];

export function findProviderFacts(name: string): ProviderFacts | undefined {
  return providerFacts.find((facts) => facts.name === name);
}

/** How a provider caches the prompts of a model; undefined where it is not known to. */
export function cachingOf(provider: string, model: string): CachingFacts | undefined {
  return findProviderFacts(provider)?.caching?.(model);
}
