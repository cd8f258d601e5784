import type { ProviderFacts } from '../provider.js';

export const geminiFacts = {
  name: 'gemini',
  keyVariable: 'GEMINI_API_KEY',
  hasKnownModels: true,
  windowIsInputOnly: true,
  telemetryName: 'gcp.gemini',
} satisfies ProviderFacts;
