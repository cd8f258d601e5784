import type { LlmSettings } from '../types.js';
import { type KeyPlace, keyPlaceOf } from './apiKey.js';
import { findProviderFacts } from './providerFacts.js';

/** Where a call with these settings looks for its key; undefined where it needs none. */
export function keyPlaceFor(settings: Pick<LlmSettings, 'provider' | 'api_key' | 'api_key_env'>): KeyPlace | undefined {
  return keyPlaceOf(settings, findProviderFacts(settings.provider)?.keyVariable);
}
