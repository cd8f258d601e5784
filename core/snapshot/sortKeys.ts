/**
 * Sorts keys by UTF-16 units, in place: the order of canonical JSON. Nearly every object has a few keys, for which `sort` takes a kilobyte of memory
 * each time, and thousands of objects are written at once.
 */
export function sortKeys(keys: string[]): string[] {
  if (keys.length > longest) return keys.sort();
  for (let end = 1; end < keys.length; end += 1) {
    const key = keys[end] as string;
    let at = end;
    while (at > 0 && key < (keys[at - 1] as string)) {
      keys[at] = keys[at - 1] as string;
      at -= 1;
    }
    keys[at] = key;
  }
  return keys;
}

/** Beyond this many keys, `sort` is faster. */
const longest = 32;
