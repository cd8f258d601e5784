import { errorWords } from '../vendorFailure.js';
import type { VendorRefusal } from '../vendorRefusal.js';

export interface RefusableBody {
  readonly body: object;
  /** Whether the server is known to name the field in `param`. */
  readonly isExact: boolean;
  /** Fields no request can do without, or whose absence would change what the answer is. */
  readonly kept: ReadonlySet<string>;
  /** Fields that models differ in, for which the words of a server that is not exact are believed. */
  readonly optional: readonly string[];
}

/**
 * What an error answer says the model does not take, if the request holds it and can be sent without it. An exact server
 * names the field in `param`; the words of others are believed for the fields that models differ in.
 */
export function refusedField({ status, body: said }: VendorRefusal, { body, isExact, kept, optional }: RefusableBody): string | undefined {
  if (status !== 400 && status !== 422) return undefined;
  const { code, param, message } = errorWords(said, undefined);
  const isRemovable = (name: string) => Object.hasOwn(body, name) && !kept.has(name);
  if (/unsupported_(parameter|value)/.test(code) && param !== undefined) return isRemovable(param) ? param : undefined;
  const isUnknown = /support|unrecogni[sz]ed|unknown|unexpected|extra|not (permitted|allowed)|deprecated/i.test(message);
  // We add the key of the cache ourselves, so a server that does not know it is asked without, however it says so.
  if (isUnknown && isRemovable(cacheKey) && message.includes(cacheKey)) return cacheKey;
  if (isExact || !isUnknown) return undefined;
  return optional.find((name) => isRemovable(name) && new RegExp(`\\b${name}\\b`).test(message));
}

const cacheKey = 'prompt_cache_key';
