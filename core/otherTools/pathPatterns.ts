import { wildcardCovers } from './wildcards.js';

/**
 * Whether every path that `narrow` matches is matched by `wide`, both in the pattern syntax of gitignore and from the same folder: `*` stays in one
 * segment, `**` crosses segments. False where that cannot be told.
 */
export function pathCovers(wide: readonly string[], narrow: readonly string[]): boolean {
  const [outer, inner] = [spelledOut(wide), spelledOut(narrow)];
  return inner?.every((path) => outer?.some((other) => segmentsCover(other, path))) ?? false;
}

function segmentsCover(wide: readonly string[], narrow: readonly string[]): boolean {
  const known = new Map<number, boolean>();
  const from = (at: number, next: number): boolean => {
    const key = at * (narrow.length + 1) + next;
    const result = known.get(key) ?? step(at, next);
    known.set(key, result);
    return result;
  };
  const step = (at: number, next: number): boolean => {
    if (at === wide.length) return next === narrow.length;
    if (wide[at] === '**') {
      // At the end it means what is in the folder, not the folder itself.
      if (at === wide.length - 1) return next < narrow.length;
      return from(at + 1, next) || (next < narrow.length && from(at, next + 1));
    }
    const segment = narrow[next];
    return segment !== undefined && segment !== '**' && wildcardCovers(wide[at] ?? '', segment) && from(at + 1, next + 1);
  };
  return from(0, 0);
}

/** As many paths as a pattern with classes is spelled out to. */
const mostPaths = 64;

/** The patterns without classes that one with `[abc]` stands for. Undefined for negations and escapes, which are not compared, and for too many. */
function spelledOut(segments: readonly string[]): readonly (readonly string[])[] | undefined {
  const path = segments.join('/');
  if (/[!\\]|\[\^|\[\]/.test(path)) return undefined;
  let paths = [path];
  for (;;) {
    const [whole, members] = /\[([^\]/]+)\]/.exec(paths[0] ?? '') ?? [];
    if (whole === undefined || members === undefined) break;
    const characters = [...members.replace(/(.)-(.)/g, (_, first: string, last: string) => range(first, last))];
    if (paths.length * characters.length > mostPaths) return undefined;
    paths = paths.flatMap((text) => characters.map((character) => text.replace(whole, character)));
  }
  return paths[0]?.includes('[') ? undefined : paths.map((text) => text.split('/'));
}

function range(first: string, last: string): string {
  const [start, end] = [first.charCodeAt(0), last.charCodeAt(0)];
  return end < start
    ? ''
    : String.fromCharCode(...Array.from({ length: Math.min(end - start + 1, mostPaths + 1) }, (_, index) => start + index));
}
