import { isObject, type JsonObject } from '../../../json.js';
import type { CachingFacts, ProviderFacts } from '../provider.js';

export const anthropicFacts = {
  name: 'anthropic',
  address: 'https://api.anthropic.com',
  keyVariable: 'ANTHROPIC_API_KEY',
  hasKnownModels: true,
  modelNames: /^claude-/,
  neededLimit: 4096,
  optionLimits: ({ max_tokens, thinking }) => ({
    output: [max_tokens],
    thinking: isObject(thinking) ? [thinking.budget_tokens] : [],
  }),
  caching: (model) => ({ ...caching, minimum: minimumOf(model) }),
} satisfies ProviderFacts;

/** Written tokens cost 1.25 times the input price, those kept for an hour twice the input price. */
const caching: Omit<CachingFacts, 'minimum'> = {
  order: ['tools', 'system', 'messages'],
  step: 1,
  lifetime: '5 minutes (1 hour with options.cache_control.ttl)',
  isOn: (options) => !isCachingOff(options),
  writeFactor: (options) => {
    if (isCachingOff(options)) return 1;
    return isObject(options.cache_control) && options.cache_control.ttl === '1h' ? 2 : 1.25;
  },
  source: 'Anthropic, prompt caching guide (platform.claude.com), read 2026-11-25; minimum sizes also LiteLLM, prompt caching, 2026-10-07',
};

/** `options.cache_control: "none"` sends no breakpoints. */
export function isCachingOff({ cache_control }: JsonObject): boolean {
  return cache_control === 'none' || cache_control === null;
}

/** For a model that is not in the guide, the largest, so that nothing is promised that may not hold. */
function minimumOf(model: string): number {
  for (const [names, tokens] of minimums) if (names.test(model)) return tokens;
  return 4096;
}

const minimums: readonly (readonly [names: RegExp, tokens: number])[] = [
  [/^claude-(opus|fable|mythos)-5(?!-\d{1,2}(-|$))/, 512],
  [/^claude-opus-4-[567](-|$)|^claude-haiku-4-5/, 4096],
  [/^claude-sonnet-5(?!-\d{1,2}(-|$))|^claude-sonnet-4|^claude-opus-4|^claude-3-[57]-sonnet|^claude-3-(opus|sonnet)/, 1024],
  [/^claude-3(-5)?-haiku/, 2048],
];
