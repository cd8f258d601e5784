/**
 * The shortest part of a list that still fails, as far as it is found in time: halves, quarters and so on are left out one after another.
 *
 * @param fails whether a shorter list fails as well
 */
export async function shorten<Item>(items: readonly Item[], fails: (items: readonly Item[]) => Promise<boolean>, milliseconds: number) {
  const end = Date.now() + milliseconds;
  let shortest = items;
  for (let size = Math.ceil(items.length / 2); ; size = Math.ceil(size / 2)) {
    for (let at = 0; at < shortest.length && Date.now() < end; ) {
      const shorter = [...shortest.slice(0, at), ...shortest.slice(at + size)];
      if (shorter.length > 0 && (await fails(shorter))) shortest = shorter;
      else at += size;
    }
    if (size === 1 || Date.now() >= end) return shortest;
  }
}
