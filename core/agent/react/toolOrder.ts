/**
 * For each call of a turn, the calls that go first: those of the tools it depends on. Where dependencies go in a circle, the order of the
 * calls decides.
 *
 * @param names of the tools, in the order of the calls
 */
export function callsBefore(
  names: readonly string[],
  dependenciesOf: (name: string) => ReadonlySet<string>,
): readonly (readonly number[])[] {
  const wanted = names.map((name) => {
    const dependencies = dependenciesOf(name);
    if (dependencies.size === 0) return [];
    return names.flatMap((other, index) => (other !== name && dependencies.has(other) ? [index] : []));
  });
  if (wanted.every((before) => before.length === 0)) return wanted;
  const place = new Map<number, number>();
  while (place.size < names.length) {
    const open = names.flatMap((_, index) => (place.has(index) ? [] : [index]));
    const free = open.filter((index) => wanted[index]?.every((other) => place.has(other)));
    for (const index of free.length > 0 ? free : open.slice(0, 1)) place.set(index, place.size);
  }
  return wanted.map((before, index) => before.filter((other) => (place.get(other) ?? 0) < (place.get(index) ?? 0)));
}
