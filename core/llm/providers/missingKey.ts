import { LlmError } from '../../errors.js';
import type { Ports } from '../../ports.js';
import type { LlmSettings } from '../types.js';
import { findApiKey } from './apiKey.js';
import { keyPlaceFor } from './keyPlace.js';

/** Why a call of a built-in provider with these settings would find no key, in words that say where to put it; undefined where it would, or needs none. */
export async function findMissingKey(
  settings: LlmSettings,
  ports: Pick<Ports, 'secrets' | 'environment' | 'knownSecrets'>,
): Promise<string | undefined> {
  const place = keyPlaceFor(settings);
  if (place === undefined) return undefined;
  try {
    await findApiKey(settings, ports, place.kind === 'variable' ? place.name : undefined);
    return undefined;
  } catch (error) {
    if (error instanceof LlmError && error.reason === 'no-key') return error.message;
    throw error;
  }
}
