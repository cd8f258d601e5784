import { LlmError } from '../../errors.js';
import type { Ports } from '../../ports.js';
import type { LlmSettings } from '../types.js';

export interface ApiKey {
  /** Undefined where the provider needs none and none is configured. */
  readonly value: string | undefined;
  /** Where it came from, in words for a message: `the environment variable OPENAI_API_KEY`. */
  readonly source: string;
}

/**
 * The key of an llm profile, looked up now: `api_key` (`secret://NAME`), else the environment variable `api_key_env`
 * names, else the variable `fallback`, else none.
 *
 * @throws LlmError `no-key` when the place that is named holds none, or when there is none and `fallback` makes it required
 */
export async function findApiKey(
  settings: LlmSettings,
  { secrets, environment }: Pick<Ports, 'secrets' | 'environment'>,
  fallback?: string,
): Promise<ApiKey> {
  if (settings.api_key !== undefined) {
    const name = /^secret:\/\/(.+)$/.exec(settings.api_key)?.[1];
    if (name === undefined)
      throw new LlmError('no-key', 'api_key names a stored secret as "secret://NAME"; a key itself never stands in a file.');
    const advice = `Store it in the editor, or for the command line set the environment variable ${variableOf(name)}.`;
    return checked(await secrets.get(name), `the secret "${name}"`, advice);
  }
  const variable = settings.api_key_env ?? fallback;
  if (variable === undefined) return { value: undefined, source: 'no key' };
  const isFallback = settings.api_key_env === undefined;
  const advice = isFallback
    ? 'Set it, or give the llm profile an api_key ("secret://NAME") or api_key_env.'
    : 'Set it, or change api_key_env.';
  return checked(environment.get(variable), `the environment variable ${variable}`, advice);
}

/** A text without the key, whatever put it there. */
export function withoutKey(text: string, key: ApiKey | undefined): string {
  const value = key?.value;
  return value === undefined || value.length < 6 ? text : text.replaceAll(value, '[key]');
}

function checked(given: string | undefined, source: string, advice: string): ApiKey {
  const value = given?.trim() ?? '';
  if (value === '') throw new LlmError('no-key', `The key is missing: ${source} is not set. ${advice}`);
  // Such a key cannot be sent in a header; the error of doing so would show it.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new LlmError('no-key', `The key in ${source} holds a space, a line break or a character no key has. Copy it again.`);
  }
  return { value, source };
}

/** How the command line names a secret's environment variable. */
function variableOf(secret: string): string {
  return secret.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}
