import { isObject } from '../../../json.js';
import type { CachingFacts, ProviderFacts } from '../provider.js';

export const geminiFacts = {
  name: 'gemini',
  address: 'https://generativelanguage.googleapis.com/v1beta',
  keyVariable: 'GEMINI_API_KEY',
  hasKnownModels: true,
  modelNames: /^(?:models\/)?gemini-/,
  optionLimits: ({ generationConfig }) => {
    if (!isObject(generationConfig)) return {};
    const { maxOutputTokens, thinkingConfig } = generationConfig;
    return { output: [maxOutputTokens], thinking: isObject(thinkingConfig) ? [thinkingConfig.thinkingBudget] : [] };
  },
  windowIsInputOnly: true,
  telemetryName: 'gcp.gemini',
  caching,
} satisfies ProviderFacts;

/**
 * Models from Gemini 2.5 on cache prompts implicitly, from 2,048 tokens on, later ones from 4,096. Writing costs nothing.
 * The lifetime is not documented; the order is that of an explicit cache (`cachedContents`).
 */
function caching(model: string): CachingFacts | undefined {
  if (/\bgemini-(1\.|2\.0|1-|pro$)/.test(model) || !/\bgemini-/.test(model)) return undefined;
  return {
    order: ['system', 'tools', 'messages'],
    minimum: /\bgemini-2\.5/.test(model) ? 2048 : 4096,
    step: 1,
    lifetime: 'not documented',
    isOn: () => true,
    writeFactor: () => 1,
    source: 'Google, Gemini API context caching (ai.google.dev), page of 2026-10-23, read 2026-11-25',
  };
}
