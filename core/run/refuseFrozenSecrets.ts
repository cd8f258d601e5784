import { ConfigInvalidError } from '../errors.js';
import { isObject, type Json, pointerOf } from '../json.js';
import type { KnownSecrets } from '../ports.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import { readOrigins } from '../snapshot/snapshotOrigins.js';

/** Shorter keys may be words: servers that want any key are given `lm-studio` or `not-needed`, and configs name them so too. */
const shortest = 16;
const coveredSecret = new RegExp(`\\*{${shortest}}`);

/**
 * A frozen config is named by its hash and kept as it is, so nothing in it can be covered.
 *
 * @throws ConfigInvalidError naming each place that holds a secret of the run
 */
export function refuseFrozenSecrets(snapshot: Snapshot, known: KnownSecrets | undefined): void {
  if (!known?.mayBeIn(snapshot.text)) return;
  const places = [...secretsIn(snapshot.value as unknown as Json, '', known)];
  if (places.length === 0) return;
  const origins = readOrigins(() => snapshot.origins_text).all();
  const words = places.map((place) => {
    const { file = null, pointer = place } = origins.get(place) ?? {};
    return known.cover(file === null ? pointer : `${file} ${pointer}`);
  });
  throw new ConfigInvalidError(
    `The configuration holds a key that this run uses, and a frozen configuration is kept as it is. Take the key out of ${words.join(', ')}, or the variable that brings it there; a key is referred to as "secret://NAME".`,
    [],
  );
}

function* secretsIn(value: Json, path: string, known: KnownSecrets): Generator<string> {
  if (typeof value === 'string') {
    if (!coveredSecret.test(value) && coveredSecret.test(known.cover(value))) yield path;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* secretsIn(item, path + pointerOf(index), known);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      yield* secretsIn(name, path + pointerOf(name), known);
      yield* secretsIn(member, path + pointerOf(name), known);
    }
  }
}
