import type { TokenUsage } from './llm/types.js';

/** A count as every face shows it: `1,240`. @param language BCP 47 */
export function countText(count: number, language = 'en'): string {
  return Math.ceil(count).toLocaleString(language);
}

/** `1 token`, `1,240 tokens`. */
export function tokensText(tokens: number): string {
  return `${countText(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`;
}

/** `1,240 in (1,000 cached), 24 out` */
export function usageText({ prompt_tokens, completion_tokens, cached_tokens }: Omit<TokenUsage, 'total_tokens'>): string {
  const cached = cached_tokens > 0 ? ` (${countText(cached_tokens)} cached)` : '';
  return `${countText(prompt_tokens)} in${cached}, ${countText(completion_tokens)} out`;
}
