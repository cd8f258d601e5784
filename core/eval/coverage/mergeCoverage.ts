import type { Coverable } from './types.js';

/** What several agents, orchestrations or profiles have reached, each place once with all its hits, in the order in which they first come. */
export function mergeCoverage(lists: Iterable<readonly Coverable[]>): readonly Coverable[] {
  const found = new Map<string, Coverable>();
  for (const one of [...lists].flat()) {
    const key = JSON.stringify([one.kind, one.file, one.pointer, one.label]);
    const before = found.get(key);
    found.set(key, before === undefined ? one : { ...before, hits: before.hits + one.hits });
  }
  return [...found.values()];
}
