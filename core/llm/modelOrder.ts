import { compareNatural } from '../names.js';

/** Sorts model names of one provider: the largest family first, within it the newest first, then the shortest name of one version. */
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

/** The provider's current models that share most of their name with a deprecated one, newest first. */
export function findSuccessors(model: string, current: readonly string[]): readonly string[] {
  const words = new Set(wordsOf(model));
  const ranked = newestFirst(current.filter((name) => !/\d{4}-?\d{2}-?\d{2}$/.test(name))).map((name) => {
    const ownWords = wordsOf(name);
    return { name, shared: ownWords.filter((word) => words.has(word)).length * 2 - ownWords.length };
  });
  const most = Math.max(...ranked.map(({ shared }) => shared));
  return ranked.flatMap(({ name, shared }) => (shared === most ? [name] : [])).slice(0, mostSuccessors);
}

/** `gpt` for `gpt-5.4-mini`. */
function familyOf(name: string): string {
  return name.slice(0, name.search(/-|$/));
}

/** The parts of a name that are not a version: `claude` and `opus` for `claude-3-opus`. */
function wordsOf(name: string): readonly string[] {
  return name.split('-').filter((word) => !/^\d/.test(word));
}

/** `[4, 8]` for `claude-opus-4-8`, `[5, 4]` for `gpt-5.4-mini`; dates and sizes are left out. */
function versionOf(name: string): readonly number[] {
  const version = /-(\d{1,2}(?:[.-]\d{1,2})?)(?=-|$)/.exec(name)?.[1];
  return version === undefined ? [] : version.split(/[.-]/).map(Number);
}

function compareVersions([major = 0, minor = 0]: readonly number[], [otherMajor = 0, otherMinor = 0]: readonly number[]): number {
  return major - otherMajor || minor - otherMinor;
}
