import type { Json } from '../json.js';

/** A deeply frozen copy; what it is made of, an index may still hold. At most as deep as a config file. */
export function frozenCopy(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, frozenCopy(member)])));
}
