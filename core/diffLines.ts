/** More differences than this in one text are shown as one change: finding the fewest would take too long. */
const mostDifferences = 1000;

/** In both texts, in the old one, or in the new one. */
export type DiffMark = ' ' | '-' | '+';

export interface DiffLine {
  readonly mark: DiffMark;
  readonly text: string;
}

/** The lines (or words) of two texts, with the fewest of them removed and added. @param most differences that are looked for */
export function diffLines(before: readonly string[], after: readonly string[], most = mostDifferences): readonly DiffLine[] {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [old, current] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const same = (text: string): DiffLine => ({ mark: ' ', text });
  return [...before.slice(0, start).map(same), ...middle(old, current, most), ...before.slice(before.length - end).map(same)];
}

/**
 * Stretches of lines around the changes, as indices with an exclusive end; changes that are near each other share one. @param context lines around
 */
export function stretchesOf(lines: readonly DiffLine[], context: number): readonly { readonly start: number; readonly end: number }[] {
  const stretches: { start: number; end: number }[] = [];
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const [last, end] = [stretches.at(-1), Math.min(lines.length, index + context + 1)];
    if (last !== undefined && index - context <= last.end) last.end = end;
    else stretches.push({ start: Math.max(0, index - context), end });
  }
  return stretches;
}

/** The fewest removed and added lines (Myers 1986, "An O(ND) Difference Algorithm"). */
function middle(old: readonly string[], current: readonly string[], most: number): readonly DiffLine[] {
  const limit = Math.min(most, old.length + current.length);
  /** By diagonal, from `-limit - 1`: how many old lines the furthest path on it has passed. */
  const furthest = new Int32Array(2 * limit + 3);
  const traces: Int32Array[] = [];
  for (let differences = 0; differences <= limit; differences++) {
    traces.push(furthest.slice());
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const place = diagonal + limit + 1;
      let at = isDown(furthest, place, diagonal, differences) ? furthest[place + 1]! : furthest[place - 1]! + 1;
      while (at < old.length && at - diagonal < current.length && old[at] === current[at - diagonal]) at++;
      furthest[place] = at;
      if (at >= old.length && at - diagonal >= current.length) return traceBack(traces, limit, old, current);
    }
  }
  return [...old.map((text): DiffLine => ({ mark: '-', text })), ...current.map((text): DiffLine => ({ mark: '+', text }))];
}

/** Whether a path reaches a diagonal by adding a line, rather than removing one. */
function isDown(furthest: Int32Array, place: number, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && furthest[place - 1]! < furthest[place + 1]!;
}

/** @param traces before each number of differences */
function traceBack(traces: readonly Int32Array[], limit: number, old: readonly string[], current: readonly string[]): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [at, other] = [old.length, current.length];
  for (let differences = traces.length - 1; differences >= 0; differences--) {
    const furthest = traces[differences]!;
    const diagonal = at - other;
    const place = diagonal + limit + 1;
    const down = isDown(furthest, place, diagonal, differences);
    const from = differences === 0 ? 0 : furthest[down ? place + 1 : place - 1]!;
    const fromOther = differences === 0 ? 0 : from - (down ? diagonal + 1 : diagonal - 1);
    while (at > from && other > fromOther) lines.push({ mark: ' ', text: old[--at]! }) && other--;
    if (differences === 0) break;
    if (down) lines.push({ mark: '+', text: current[--other]! });
    else lines.push({ mark: '-', text: old[--at]! });
  }
  return lines.reverse();
}
