import type { TokenUsage } from './types.js';

export const noUsage: TokenUsage = Object.freeze({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cached_tokens: 0 });

export function addUsage(left: TokenUsage, right: TokenUsage): TokenUsage {
  return {
    prompt_tokens: left.prompt_tokens + right.prompt_tokens,
    completion_tokens: left.completion_tokens + right.completion_tokens,
    total_tokens: left.total_tokens + right.total_tokens,
    cached_tokens: left.cached_tokens + right.cached_tokens,
  };
}
