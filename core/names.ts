import { distance } from 'fastest-levenshtein';
import { listed } from './words.js';

/**
 * Natural order: digit runs by number, so `v2` comes before `v10`, and letter case only if nothing else differs. The order is total,
 * and for legal names that of Unicode's root collation; the system's own takes 7 ms to load.
 */
export function compareNatural(left: string, right: string): number {
  let byCase = 0;
  let at = 0;
  let other = 0;
  while (at < left.length && other < right.length) {
    const unit = left.charCodeAt(at);
    const otherUnit = right.charCodeAt(other);
    if (isDigit(unit) && isDigit(otherUnit)) {
      const end = endOfDigits(left, at);
      const otherEnd = endOfDigits(right, other);
      const byNumber = compareDigits(left.slice(at, end), right.slice(other, otherEnd));
      if (byNumber !== 0) return byNumber;
      at = end;
      other = otherEnd;
      continue;
    }
    const byLetter = weightOf(unit) - weightOf(otherUnit);
    if (byLetter !== 0) return byLetter;
    // Small letters come before their capitals.
    if (byCase === 0) byCase = otherUnit - unit;
    at += 1;
    other += 1;
  }
  return left.length - at - (right.length - other) || byCase || (left < right ? -1 : left > right ? 1 : 0);
}

/** Punctuation, digits, letters, and then all characters that no legal name has. */
function weightOf(unit: number): number {
  if (isDigit(unit)) return 10;
  const lower = 0x41 <= unit && unit <= 0x5a ? unit + 0x20 : unit;
  if (0x61 <= lower && lower <= 0x7a) return lower;
  const punctuation = '_-.'.indexOf(String.fromCharCode(unit));
  return punctuation < 0 ? 0x100 + unit : punctuation;
}

function isDigit(unit: number): boolean {
  return 0x30 <= unit && unit <= 0x39;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function compareDigits(left: string, right: string): number {
  const [number, other] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')];
  return number.length - other.length || (number < other ? -1 : number > other ? 1 : 0);
}

/**
 * The candidates similar to `name`, best first, at most `limit` (default 3). Similar means: equal apart from letter case and separators, or at most
 * a third of the letters (at least one, at most five) away; two swapped letters count as one.
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit?: number): string[] {
  return nearestAmong(candidates)(name, limit);
}

export type NearestNames = (name: string, limit?: number) => string[];

/** `nearestNames` for many names. */
export function nearestAmong(candidates: Iterable<string>): NearestNames {
  const all = Array.from(candidates, (candidate) => ({ candidate, folded: fold(candidate) }));
  return (name, limit = 3) => {
    const wanted = fold(name);
    const allowed = Math.min(5, Math.max(1, Math.floor(wanted.length / 3)));
    const near: { candidate: string; far: number }[] = [];
    for (const { candidate, folded } of all) {
      if (Math.abs(folded.length - wanted.length) > allowed) continue;
      const far = distanceBetween(wanted, folded, allowed);
      if (far <= allowed) near.push({ candidate, far });
    }
    near.sort((left, right) => left.far - right.far || compareNatural(left.candidate, right.candidate));
    return near.slice(0, limit).map(({ candidate }) => candidate);
  };
}

/** ` Did you mean "x"?` with a leading space, or nothing: the phrase for all suggestions. */
export function didYouMean(nearest: readonly string[]): string {
  if (nearest.length === 0) return '';
  const quoted = nearest.map((name) => JSON.stringify(name));
  const last = quoted.pop();
  return quoted.length === 0 ? ` Did you mean ${last}?` : ` Did you mean ${quoted.join(', ')} or ${last}?`;
}

/** The nearest names as a question, or if there are none, up to five of all names: ` There are "a" and "b".` */
export function suggest(nearest: readonly string[], names: readonly string[] = []): string {
  const all = [...new Set(names)];
  if (nearest.length > 0 || all.length === 0) return didYouMean(nearest);
  return ` There ${all.length === 1 ? 'is' : 'are'} ${listed(all, 'and', 5)}.`;
}

/** The first ten names, for a message: `a, b, c, ...`. */
export function firstNames(names: Iterable<string>): string {
  const all = [...names];
  return `${all.slice(0, 10).join(', ')}${all.length > 10 ? ', ...' : ''}`;
}

/** Letters to insert, delete, change or swap with their neighbour; any number above `allowed` if there are more. */
function distanceBetween(left: string, right: string, allowed: number): number {
  const far = distance(left, right);
  // Without swaps, a swap counts as two changes, so it can at most halve the distance.
  return far < 2 || far > 2 * allowed ? far : withExchanges(left, right);
}

/** The restricted Damerau-Levenshtein distance, row by row. */
function withExchanges(left: string, right: string): number {
  let [before, previous]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, index) => index)];
  for (let at = 1; at <= left.length; at++) {
    const row = [at];
    for (let other = 1; other <= right.length; other++) {
      const isSame = left[at - 1] === right[other - 1];
      const isExchange = left[at - 1] === right[other - 2] && left[at - 2] === right[other - 1];
      const nearest = Math.min(row[other - 1]! + 1, previous[other]! + 1, previous[other - 1]! + (isSame ? 0 : 1));
      row.push(isExchange ? Math.min(nearest, before[other - 2]! + 1) : nearest);
    }
    [before, previous] = [previous, row];
  }
  return previous[right.length]!;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}

/** The names of the agents of a project, in the order of their ids. */
export function agentNames(index: { ids(kind: 'agent'): ReadonlyMap<string, unknown> }): ReadonlySet<string> {
  return new Set([...index.ids('agent').keys()].map((id) => id.slice(0, id.lastIndexOf('@'))));
}
