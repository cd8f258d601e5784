import { isObject } from '../../../json.js';
import type { CachingFacts, ProviderFacts } from '../provider.js';

export const openaiFacts = {
  name: 'openai',
  address: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
  hasKnownModels: true,
  modelNames: /^gpt-/,
  hasStrictSchemas: true,
  optionLimits: ({ max_completion_tokens, max_output_tokens }) => ({ output: [max_completion_tokens, max_output_tokens] }),
  tokenizer: 'openai',
  caching,
} satisfies ProviderFacts;

/**
 * Models from gpt-4o on cache prompts of 1,024 tokens and more automatically. Up to GPT-5.5 cached tokens are counted in steps of 128 and
 * writing costs nothing; from GPT-5.6 on a written token costs 1.25 times the input price, unless `options.prompt_cache_options.mode` is
 * `explicit`, which writes nothing where the request marks nothing.
 */
export function caching(model: string): CachingFacts | undefined {
  const base = model.startsWith('ft:') ? (model.split(':')[1] ?? '') : model;
  if (!/^(gpt-(4o|4\.[15]|[5-9]|\d\d)|chatgpt-4o|o\d)/.test(base)) return undefined;
  const paysForWrites = /^gpt-(5\.([6-9]|\d\d)|[6-9]|\d\d)/.test(base);
  return {
    order: ['tools', 'schema', 'system', 'messages'],
    minimum: 1024,
    step: paysForWrites ? 1 : 128,
    lifetime: paysForWrites ? '30 minutes (12 hours with options.prompt_cache_options.ttl)' : '5 to 10 minutes, up to 24 hours',
    isOn: (options) => !(paysForWrites && modeOf(options.prompt_cache_options) === 'explicit'),
    writeFactor: (options) => (paysForWrites && modeOf(options.prompt_cache_options) !== 'explicit' ? 1.25 : 1),
    source: 'OpenAI, prompt caching guide and Prompt Caching 201 (developers.openai.com), read 2026-11-25',
  };
}

function modeOf(cacheOptions: unknown): unknown {
  return isObject(cacheOptions) ? cacheOptions.mode : undefined;
}
