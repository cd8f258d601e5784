import { compareNatural } from '../names.js';

/** Names of models of one provider: those of its largest family first, of a family the newest first, and the shortest of one version. */
export function newestFirst(names: readonly string[]): readonly string[] {
  const sizes = new Map<string, number>();
  for (const name of names) sizes.set(familyOf(name), (sizes.get(familyOf(name)) ?? 0) + 1);
  const sizeOf = (name: string) => sizes.get(familyOf(name)) ?? 0;
  return [...names].sort(
    (left, right) =>
      sizeOf(right) - sizeOf(left) ||
      compareVersions(versionOf(right), versionOf(left)) ||
      left.length - right.length ||
      compareNatural(left, right),
  );
}

const mostSuccessors = 3;

/** Of the provider's current models those with most of a deprecated one's name in common, the newest first. */
export function findSuccessors(model: string, current: readonly string[]): readonly string[] {
  const words = new Set(wordsOf(model));
  const ranked = newestFirst(current.filter((name) => !/\d{4}-?\d{2}-?\d{2}$/.test(name))).map((name) => {
    const own = wordsOf(name);
    return { name, shared: own.filter((word) => words.has(word)).length * 2 - own.length };
  });
  const most = Math.max(...ranked.map(({ shared }) => shared));
  return ranked.flatMap(({ name, shared }) => (shared === most ? [name] : [])).slice(0, mostSuccessors);
}

/** `gpt` of `gpt-5.4-mini`. */
function familyOf(name: string): string {
  return name.slice(0, name.search(/-|$/));
}

/** The parts of a name that are no version: `claude` and `opus` of `claude-3-opus`. */
function wordsOf(name: string): readonly string[] {
  return name.split('-').filter((word) => !/^\d/.test(word));
}

/** `[4, 8]` of `claude-opus-4-8`, `[5, 4]` of `gpt-5.4-mini`; no date and no size. */
function versionOf(name: string): readonly number[] {
  const version = /-(\d{1,2}(?:[.-]\d{1,2})?)(?=-|$)/.exec(name)?.[1];
  return version === undefined ? [] : version.split(/[.-]/).map(Number);
}

function compareVersions([major = 0, minor = 0]: readonly number[], [otherMajor = 0, otherMinor = 0]: readonly number[]): number {
  return major - otherMajor || minor - otherMinor;
}
