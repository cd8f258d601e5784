import { distance } from 'fastest-levenshtein';

/** Compares as people do: digit runs by number, so `v2` comes before `v10`. Ties are broken by UTF-16 units, so the order is total. */
export function compareNatural(left: string, right: string): number {
  return collator.compare(left, right) || (left < right ? -1 : left > right ? 1 : 0);
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' });

/**
 * The candidates that look like `name`, best first, at most `limit` (default 3). Alike means: equal but for letter case and
 * separators, or at most a third of the letters (at least one, at most five) away.
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = fold(name);
  const allowed = Math.min(5, Math.max(1, Math.floor(wanted.length / 3)));
  const found: { candidate: string; far: number }[] = [];
  for (const candidate of candidates) {
    const folded = fold(candidate);
    if (Math.abs(folded.length - wanted.length) > allowed) continue;
    const far = distance(wanted, folded);
    if (far <= allowed) found.push({ candidate, far });
  }
  found.sort((left, right) => left.far - right.far || compareNatural(left.candidate, right.candidate));
  return found.slice(0, limit).map(({ candidate }) => candidate);
}

/** ` Did you mean "x"?` with a leading space, or nothing: the one phrase for every suggestion. */
export function didYouMean(nearest: readonly string[]): string {
  if (nearest.length === 0) return '';
  const quoted = nearest.map((name) => JSON.stringify(name));
  const last = quoted.pop();
  return quoted.length === 0 ? ` Did you mean ${last}?` : ` Did you mean ${quoted.join(', ')} or ${last}?`;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}
