import type { ConfigFile } from '../../config/configFile.js';
import { sizeOfText } from '../../llm/callCost.js';
import { priceOf } from '../../llm/price.js';
import type { CachedPart, CachingFacts } from '../../llm/providers/provider.js';
import { cachingOf } from '../../llm/providers/providerFacts.js';
import { createAgentPrompt } from '../../prompt/agentPrompt.js';
import { uncompiled } from '../../prompt/compileOnce.js';
import { type CachePrediction, predictCache, proveStablePrefix, type StablePrefix, sharedPrefix } from '../../prompt/stablePrefix.js';
import { findTemplatePaths, type TemplatePath } from '../../prompt/template.js';
import { callsModel } from '../../snapshot/effective.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import type { RuleContext } from '../rule.js';

/** How a provider caches the prompt of an agent. Tokens are estimated. */
export interface PromptCache {
  /** Provider and model: requests to another model share no cache. */
  readonly model: string;
  readonly prefix: StablePrefix;
  readonly prediction: CachePrediction;
  /** Undefined where the provider is not known to cache prompts of this model, or the options turn it off. */
  readonly caching: CachingFacts | undefined;
}

/** The order of the parts in most caches. */
const usualOrder: readonly CachedPart[] = ['tools', 'system', 'messages'];

export function promptCacheOf(file: ConfigFile, { effective, models }: Pick<RuleContext, 'effective' | 'models'>): PromptCache | undefined {
  return cacheOf(effective(file), models);
}

/** Undefined for an agent that calls no model. */
export function cacheOf(
  { config, llm, tools }: Pick<ResolvedAgent, 'config' | 'llm' | 'tools'>,
  models: RuleContext['models'],
): PromptCache | undefined {
  if (!callsModel(config)) return undefined;
  const { model_name: model = '', input_schema } = config;
  const facts = cachingOf(llm.provider, model);
  const caching = facts?.isOn(llm.options ?? {}) ? facts : undefined;
  const shape = createAgentPrompt({ config, llm, tools, schemas: uncompiled }).shape();
  const prefix = proveStablePrefix(shape, facts?.order ?? usualOrder, input_schema);
  const price = priceOf(llm, models.find(model, llm.provider), model);
  return {
    model: `${llm.provider}/${model}`,
    prefix,
    caching,
    prediction: predictCache(prefix, (text) => sizeOfText(text).likely, caching, price),
  };
}

/** Estimated tokens of the prefix that the requests of all these agents share in every call. */
export function sharedTokens(caches: readonly PromptCache[]): number {
  return sharedPrefix(caches.map(({ prefix }) => prefix)).reduce((sum, { text }) => sum + sizeOfText(text).likely, 0);
}

/** The place in the template of the value that ends the prefix. */
export function changingPath(template: string, { end }: StablePrefix): TemplatePath | undefined {
  return findTemplatePaths(template).find(({ path }) => end.written === `{{${path}}}`);
}
