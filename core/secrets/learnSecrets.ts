import { isObject, type Json } from '../json.js';
import type { KnownSecrets } from '../ports.js';
import { coverAll } from './coverValue.js';

/**
 * Remembers everything in a value that would be covered, so that it is covered wherever and in whatever form it occurs later.
 *
 * @returns whether there were any secrets
 */
export function learnSecrets(value: Json, knownSecrets: Pick<KnownSecrets, 'add'>): boolean {
  const secrets = [...secretsBetween(value, coverAll(value))];
  for (const secret of secrets) knownSecrets.add(secret);
  return secrets.length > 0;
}

/** Covered values keep their shape and length, so anything that differs is secret. */
function* secretsBetween(value: Json | undefined, covered: Json | undefined): Generator<string> {
  if (value === covered) return;
  if (typeof value === 'string' && typeof covered === 'string') {
    for (const { index, 0: stars } of covered.matchAll(/[*\r\n]+/g)) {
      const secret = value.slice(index, index + stars.length);
      if (secret !== stars) yield secret;
    }
  } else if (Array.isArray(value) && Array.isArray(covered))
    for (const [index, item] of value.entries()) yield* secretsBetween(item, covered[index]);
  else if (isObject(value) && isObject(covered))
    for (const [index, name] of Object.keys(value).entries()) {
      const coveredName = Object.keys(covered)[index] ?? name;
      yield* secretsBetween(name, coveredName);
      yield* secretsBetween(value[name], covered[coveredName]);
    }
}
