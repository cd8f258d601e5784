import { compareNatural } from '../names.js';
import type { Exposed, Unnamed } from './exposed.js';

/** The length and the characters of tool names that every client and model takes. */
const longest = 64;

/**
 * Names for everything that is exposed, sorted by them. The newest exposed version of an agent has the agent's name, as on the command line; older ones
 * have their version behind it: `Agent`, `Agent_v1`. What would clash gets a number.
 */
export function nameTools(exposed: readonly Unnamed[]): readonly Exposed[] {
  const newest = new Map<string, string>();
  for (const { kind, name, version } of exposed) {
    if (kind !== 'agent' || version === null) continue;
    const known = newest.get(name);
    if (known === undefined || compareNatural(known, version) < 0) newest.set(name, version);
  }
  const taken = new Set<string>();
  // Agents first, so that an orchestration of the same name does not rename them.
  const inOrder = [...exposed].sort(
    (left, right) =>
      left.kind.localeCompare(right.kind) || Number(isNewest(right)) - Number(isNewest(left)) || compareNatural(left.id, right.id),
  );
  const named = inOrder.map((one): Exposed => ({ ...one, tool_name: free(isNewest(one) ? one.name : one.id, taken) }));
  return named.sort((left, right) => compareNatural(left.tool_name, right.tool_name));

  function isNewest({ kind, name, version }: Unnamed): boolean {
    return kind === 'orchestration' || newest.get(name) === version;
  }
}

function free(name: string, taken: Set<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_');
  let found = plain.slice(0, longest);
  for (let number = 2; taken.has(found.toLowerCase()); number += 1) {
    const end = `_${number}`;
    found = plain.slice(0, longest - end.length) + end;
  }
  taken.add(found.toLowerCase());
  return found;
}
