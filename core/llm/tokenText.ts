import type { TokenUsage } from './types.js';

/** A count as all faces show it: `1,240`. @param language BCP 47 */
export function countText(count: number, language = 'en'): string {
  return Math.ceil(count).toLocaleString(language);
}

/** `1 token`, `1,240 tokens`. */
export function tokensText(tokens: number): string {
  return `${countText(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`;
}

/** `1,240 in (1,000 cached, 200 written), 24 out` */
export function usageText(usage: Omit<TokenUsage, 'total_tokens'>): string {
  const { prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens: written = 0 } = usage;
  const parts = [
    ...(cached_tokens > 0 ? [`${countText(cached_tokens)} cached`] : []),
    ...(written > 0 ? [`${countText(written)} written`] : []),
  ];
  const cached = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  return `${countText(prompt_tokens)} in${cached}, ${countText(completion_tokens)} out`;
}
