import { LlmError } from '../../errors.js';
import type { Ports } from '../../ports.js';
import { replaceForms } from '../../secrets/replaceForms.js';
import { secretVariable } from '../../secrets/secretVariable.js';
import { writtenForms } from '../../secrets/writtenForms.js';
import type { LlmSettings } from '../types.js';
import { findProviderFacts } from './providerFacts.js';

export interface ApiKey {
  /** Undefined where the provider needs no key and none is configured. */
  readonly value: string | undefined;
  /** Where it came from, as a message puts it: `the environment variable OPENAI_API_KEY`. */
  readonly source: string;
}

/**
 * The key of an llm profile, looked up now: `api_key` (`secret://NAME`), else the environment variable `api_key_env`
 * names, else the variable `fallback`, else none. A variable that is not set may be stored as a secret of that name.
 *
 * @throws LlmError `no-key` when the configured place holds none, or when there is none and `fallback` makes it required
 */
export async function findApiKey(
  settings: LlmSettings,
  ports: Pick<Ports, 'secrets' | 'environment' | 'knownSecrets'>,
  fallback?: string,
): Promise<ApiKey> {
  const { secrets, environment, knownSecrets } = ports;
  // Remembered before it is checked: a text that is not a valid key may contain one.
  const remember = (key: string | undefined) => {
    if (key !== undefined) knownSecrets?.add(key);
    return key;
  };
  if (settings.api_key !== undefined) {
    const name = secretName(settings.api_key);
    if (name === undefined)
      throw new LlmError('no-key', 'api_key refers to a stored secret, as in "secret://NAME". Never write the key itself into a file.');
    const advice = `Store it in the editor, or for the command line set the environment variable ${secretVariable(name)}.`;
    return checked(remember(await secrets.get(name)), `the secret "${name}"`, advice);
  }
  const variable = settings.api_key_env ?? fallback;
  if (variable === undefined) return { value: undefined, source: 'no key' };
  const isFallback = settings.api_key_env === undefined;
  const advice = isFallback
    ? 'Set it, or give the llm profile an api_key ("secret://NAME") or api_key_env.'
    : 'Set it, or change api_key_env.';
  const key = environment.get(variable)?.trim() || (await secrets.get(variable));
  return checked(remember(key), `the environment variable ${variable}`, advice);
}

/** Where a profile's key is looked up. */
export interface KeyPlace {
  /** `secret`: a stored secret, then the environment. `variable`: an environment variable, then a stored secret of that name. */
  readonly kind: 'secret' | 'variable';
  /** Name of the secret or of the variable. */
  readonly name: string;
}

/** Where `findApiKey` would look; undefined where it would not look anywhere, or an api_key is not a reference. */
export function keyPlaceOf(settings: Pick<LlmSettings, 'api_key' | 'api_key_env'>, fallback?: string): KeyPlace | undefined {
  if (settings.api_key !== undefined) {
    const name = secretName(settings.api_key);
    return name === undefined ? undefined : { kind: 'secret', name };
  }
  const name = settings.api_key_env ?? fallback;
  return name === undefined ? undefined : { kind: 'variable', name };
}

function secretName(reference: string): string | undefined {
  return /^secret:\/\/(.+)$/.exec(reference)?.[1];
}

/** Why a text cannot be a key, continuing "The key"; undefined when it can. */
export function whyNoKey(value: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(value) ? undefined : 'holds a space, a line break or a character no key has';
}

/** A text with the key replaced by `[key]`, in every form in which it may be written. */
export function withoutKey(text: string, key: ApiKey | undefined): string {
  const value = key?.value;
  if (value === undefined || value.length < 6) return text;
  return replaceForms(text, writtenForms(value), '[key]');
}

function checked(key: string | undefined, source: string, advice: string): ApiKey {
  const value = key?.trim() ?? '';
  if (value === '') throw new LlmError('no-key', `The key is missing: ${source} is not set. ${advice}`);
  // Such a key cannot be sent in a header, and the resulting error would show it.
  const fault = whyNoKey(value);
  if (fault !== undefined) throw new LlmError('no-key', `The key in ${source} ${fault}. Copy it again.`);
  return { value, source };
}

/** Where a call with these settings looks for its key; undefined where it needs none. */
export function keyPlaceFor(settings: Pick<LlmSettings, 'provider' | 'api_key' | 'api_key_env'>): KeyPlace | undefined {
  return keyPlaceOf(settings, findProviderFacts(settings.provider)?.keyVariable);
}

/** Why a call of a built-in provider with these settings would find no key, and where to put it; undefined where it finds or needs none. */
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
