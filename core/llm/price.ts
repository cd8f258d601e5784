import type { ModelPrice } from './modelTable.js';
import type { TokenUsage } from './types.js';

/**
 * What a call cost, in USD. `prompt_tokens` includes the cached ones, which are paid at `cached_input`, or like any other when no
 * such price is known. Long-context steps, batches and tools are not in a `ModelPrice`.
 */
export function estimateCost(usage: Pick<TokenUsage, 'prompt_tokens' | 'completion_tokens' | 'cached_tokens'>, price: ModelPrice): number {
  const cached = Math.min(usage.cached_tokens, usage.prompt_tokens);
  const micro =
    (usage.prompt_tokens - cached) * price.input + cached * (price.cached_input ?? price.input) + usage.completion_tokens * price.output;
  return micro / 1_000_000;
}
