import type { TokenUsage } from './types.js';

export const noUsage: TokenUsage = Object.freeze({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cached_tokens: 0 });

export function addUsage(left: TokenUsage, right: TokenUsage): TokenUsage {
  return combined(left, right, (one, other) => one + other);
}

/** The usage between two sums. */
export function usageBetween(before: TokenUsage, after: TokenUsage): TokenUsage {
  return combined(after, before, (one, other) => one - other);
}

function combined(left: TokenUsage, right: TokenUsage, combine: (left: number, right: number) => number): TokenUsage {
  const written = combine(left.cache_write_tokens ?? 0, right.cache_write_tokens ?? 0);
  const thought = combine(left.reasoning_tokens ?? 0, right.reasoning_tokens ?? 0);
  return {
    prompt_tokens: combine(left.prompt_tokens, right.prompt_tokens),
    completion_tokens: combine(left.completion_tokens, right.completion_tokens),
    total_tokens: combine(left.total_tokens, right.total_tokens),
    cached_tokens: combine(left.cached_tokens, right.cached_tokens),
    ...(written > 0 && { cache_write_tokens: written }),
    ...(thought > 0 && { reasoning_tokens: thought }),
  };
}
