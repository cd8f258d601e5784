import { roundedUsd } from '../amounts.js';
import type { JsonObject } from '../json.js';
import type { ModelFacts, ModelPrice } from './modelTable.js';
import { cachingOf } from './providers/providerFacts.js';
import type { TokenUsage } from './types.js';

type PaidUsage = Pick<TokenUsage, 'prompt_tokens' | 'completion_tokens' | 'cached_tokens' | 'cache_write_tokens'>;

/**
 * What a call cost, in USD. `prompt_tokens` includes cached and written tokens, which are billed at `cached_input` and `cache_write`, or
 * like any other when no such price is known. `ModelPrice` has no long-context tiers, batches or tools.
 */
export function estimateCost(usage: PaidUsage, price: ModelPrice): number {
  const cached = Math.min(usage.cached_tokens, usage.prompt_tokens);
  const written = Math.min(usage.cache_write_tokens ?? 0, usage.prompt_tokens - cached);
  const micro =
    (usage.prompt_tokens - cached - written) * price.input +
    cached * (price.cached_input ?? price.input) +
    written * (price.cache_write ?? price.input) +
    usage.completion_tokens * price.output;
  return roundedUsd(micro / 1_000_000);
}

/** What it would have cost without the provider's cache: no discount for what was read from it, no surcharge for what was written. */
export function uncachedCost({ prompt_tokens, completion_tokens }: PaidUsage, price: ModelPrice): number {
  return estimateCost({ prompt_tokens, completion_tokens, cached_tokens: 0 }, price);
}

/** The most that these tokens can cost, in USD: a prompt that is written to the cache may cost more than one that is not. */
export function mostCost(tokens: Pick<TokenUsage, 'prompt_tokens' | 'completion_tokens'>, price: ModelPrice): number {
  const input = Math.max(price.input, price.cached_input ?? 0, price.cache_write ?? 0);
  return estimateCost({ ...tokens, cached_tokens: 0 }, { input, output: price.output });
}

/** The part of a profile that decides the price. */
export interface PricedProfile {
  readonly provider: string;
  readonly options?: JsonObject;
  readonly price?: ModelPrice;
}

/** The profile's price, else the model's, with what the provider charges for cache writes; undefined when neither is known. */
export function priceOf(profile: PricedProfile, model: ModelFacts | undefined, modelName: string): ModelPrice | undefined {
  const price = profile.price ?? model?.price;
  if (price === undefined || price.cache_write !== undefined) return price;
  const factor = cachingOf(profile.provider, modelName)?.writeFactor(profile.options ?? {}) ?? 1;
  return factor === 1 ? price : { ...price, cache_write: price.input * factor };
}

/** The offline provider is no model: nothing is paid. */
export function isFree({ provider }: { readonly provider: string }): boolean {
  return provider === 'offline';
}
