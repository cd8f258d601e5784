import type { ModelPrice } from '../llm/modelTable.js';
import type { CachingFacts } from '../llm/providers/provider.js';
import type { StablePrefix } from './stablePrefix.js';

/** What a provider's cache makes of a prompt, call by call. Tokens are those of `count`. */
export interface CachePrediction {
  /** Of the beginning that is equal in every call. */
  readonly stable_tokens: number;
  /** Of stable text behind the first thing that differs: billed in full again with each call. */
  readonly billed_again_tokens: number;
  /** USD that these cost more in each call than they would from the cache; null when the price is unknown. */
  readonly billed_again_usd: number | null;
  /** What a call reads from the cache while that holds the beginning: 0 below the provider's minimum. */
  readonly cached_tokens: number;
  /** Fewest tokens that the provider keeps of this model; null where it is not known to cache. */
  readonly minimum: number | null;
}

export function predictCache(
  prefix: StablePrefix,
  count: (text: string) => number,
  caching: CachingFacts | undefined,
  price: ModelPrice | undefined,
): CachePrediction {
  const stable_tokens = prefix.parts.reduce((sum, { text }) => sum + count(text), 0);
  const billed_again_tokens = prefix.behind.reduce((sum, text) => sum + count(text), 0);
  const saved = price && price.input - (price.cached_input ?? price.input);
  return {
    stable_tokens,
    billed_again_tokens,
    billed_again_usd: saved === undefined ? null : (billed_again_tokens * saved) / 1_000_000,
    cached_tokens: caching === undefined || stable_tokens < caching.minimum ? 0 : stable_tokens - (stable_tokens % caching.step),
    minimum: caching?.minimum ?? null,
  };
}
