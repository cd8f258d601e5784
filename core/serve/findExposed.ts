import type { ProjectIndex } from '../config/projectIndex.js';
import { didYouMean, firstNames, nearestNames } from '../names.js';
import type { Exposed } from './exposed.js';

/** What a program may call: `Agent` (the newest exposed version), `Agent@v1`, the name of an orchestration, or the name of the tool. */
export function findExposed(exposed: readonly Exposed[], wanted: string): Exposed | undefined {
  return exposed.find(({ tool_name }) => tool_name === wanted) ?? exposed.find(({ id }) => id === wanted) ?? newestOf(exposed, wanted);
}

/** A name with a character that tools may not have: `my.agent` is the tool `my_agent`. */
function newestOf(exposed: readonly Exposed[], wanted: string): Exposed | undefined {
  // Older versions have theirs in the name of the tool.
  return exposed.filter(({ name }) => name === wanted).sort((left, right) => left.tool_name.length - right.tool_name.length)[0];
}

/** Names that programs are told, the shortest of each: those of agents without a version where it is the newest. */
export function namesOfExposed(exposed: readonly Exposed[]): readonly string[] {
  return exposed.map((one) => [one.name, one.id].find((name) => findExposed(exposed, name) === one) ?? one.tool_name);
}

/** Why nothing is exposed under this name, and what to do. `index` is of the project: what it holds may only lack `expose`. */
export function unknownWords(
  { exposed, index }: { readonly exposed: readonly Exposed[]; readonly index?: ProjectIndex },
  wanted: string,
): string {
  const shown = JSON.stringify(wanted.length > 100 ? `${wanted.slice(0, 100)}...` : wanted);
  const isUnexposed =
    index !== undefined && (index.versions(wanted).length > 0 || index.ids('agent').has(wanted) || index.ids('orchestration').has(wanted));
  if (isUnexposed) return `${shown} is not exposed: set "expose": true in its file.`;
  const names = namesOfExposed(exposed);
  const nearest = nearestNames(wanted, [...names, ...exposed.map(({ id }) => id)]);
  const known =
    names.length === 0 ? ' Nothing is exposed yet: set "expose": true in an agent or orchestration.' : ` There are: ${firstNames(names)}.`;
  return `There is no ${shown}.${didYouMean(nearest)}${nearest.length > 0 ? '' : known}`;
}
