import { errorWords } from '../vendorFailure.js';
import type { VendorRefusal } from '../vendorRefusal.js';

export interface RefusableBody {
  readonly body: object;
  /** Whether the server is known to name the field in `param`. */
  readonly isExact: boolean;
  /** Fields that every request needs, or whose absence would change the meaning of the answer. */
  readonly kept: ReadonlySet<string>;
  /** Fields that models differ in, for which the error message of an inexact server is trusted. */
  readonly optional: readonly string[];
}

/**
 * What the model does not accept according to an error answer, if the request has it and can be sent without it. An exact server
 * names the field in `param`; the messages of others are trusted for the fields that models differ in.
 */
export function refusedField({ status, body: said }: VendorRefusal, { body, isExact, kept, optional }: RefusableBody): string | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const { code, param, message } = errorWords(said, undefined);
  const isRemovable = (name: string) => Object.hasOwn(body, name) && !kept.has(name);
  if (/unsupported_(parameter|value)/.test(code) && param !== undefined) return isRemovable(param) ? param : undefined;
  const isUnknown = /support|unrecogni[sz]ed|unknown|unexpected|extra|not (permitted|allowed)|deprecated/i.test(message);
  // We add the cache key ourselves, so a server that does not know it gets the request without it, however it reports that.
  if (isUnknown && isRemovable(cacheKey) && message.includes(cacheKey)) return cacheKey;
  if (isExact || !isUnknown) return undefined;
  return optional.find((name) => isRemovable(name) && new RegExp(`\\b${name}\\b`).test(message));
}

const cacheKey = 'prompt_cache_key';
