/** Lines before and after a change. */
const contextLines = 3;

/** More differences than this in one file are shown as one change: finding the fewest would take too long. */
const mostDifferences = 1000;

type Mark = ' ' | '-' | '+';

interface DiffLine {
  readonly mark: Mark;
  readonly text: string;
}

/** A change of a file in the format of `diff -u` and `git apply`; empty when nothing differs. */
export function unifiedDiff(path: string, before: string, after: string): readonly string[] {
  if (before === after) return [];
  const lines = diffLines(linesOf(before), linesOf(after));
  return [`--- a/${path}`, `+++ b/${path}`, ...hunksOf(lines).flatMap((hunk) => [hunk.header, ...hunk.lines.flatMap(shown)])];
}

/** Each with its line break, which may be missing at the end. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function shown({ mark, text }: DiffLine): readonly string[] {
  return text.endsWith('\n') ? [mark + text.slice(0, -1)] : [mark + text, '\\ No newline at end of file'];
}

function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [old, current] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const same = (text: string): DiffLine => ({ mark: ' ', text });
  return [...before.slice(0, start).map(same), ...middle(old, current), ...before.slice(before.length - end).map(same)];
}

/** The fewest removed and added lines (Myers 1986, "An O(ND) Difference Algorithm"). */
function middle(old: readonly string[], current: readonly string[]): readonly DiffLine[] {
  const traces: Map<number, number>[] = [];
  let furthest = new Map<number, number>([[1, 0]]);
  for (let differences = 0; differences <= Math.min(mostDifferences, old.length + current.length); differences++) {
    const next = new Map(furthest);
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let at = isDown(furthest, diagonal, differences) ? furthest.get(diagonal + 1)! : furthest.get(diagonal - 1)! + 1;
      while (at < old.length && at - diagonal < current.length && old[at] === current[at - diagonal]) at++;
      next.set(diagonal, at);
      if (at >= old.length && at - diagonal >= current.length) return traceBack(traces, furthest, old, current);
    }
    traces.push(furthest);
    furthest = next;
  }
  return [...old.map((text): DiffLine => ({ mark: '-', text })), ...current.map((text): DiffLine => ({ mark: '+', text }))];
}

/** Whether a path comes to a diagonal by adding a line, rather than removing one. */
function isDown(furthest: ReadonlyMap<number, number>, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && furthest.get(diagonal - 1)! < furthest.get(diagonal + 1)!;
}

function traceBack(
  traces: readonly ReadonlyMap<number, number>[],
  last: ReadonlyMap<number, number>,
  old: readonly string[],
  current: readonly string[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [at, other] = [old.length, current.length];
  const all = [...traces, last];
  for (let differences = all.length - 1; differences >= 0; differences--) {
    const furthest = all[differences]!;
    const diagonal = at - other;
    const down = isDown(furthest, diagonal, differences);
    const before = down ? diagonal + 1 : diagonal - 1;
    const from = differences === 0 ? 0 : furthest.get(before)!;
    const fromOther = differences === 0 ? 0 : from - before;
    while (at > from && other > fromOther) lines.push({ mark: ' ', text: old[--at]! }) && other--;
    if (differences === 0) break;
    if (down) lines.push({ mark: '+', text: current[--other]! });
    else lines.push({ mark: '-', text: old[--at]! });
  }
  return lines.reverse();
}

interface Hunk {
  readonly header: string;
  readonly lines: readonly DiffLine[];
}

/** Changes with the lines around them; those that are near each other share a hunk. */
function hunksOf(lines: readonly DiffLine[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  const changes = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]));
  for (let first = 0; first < changes.length; ) {
    let last = first;
    while (last + 1 < changes.length && changes[last + 1]! - changes[last]! <= 2 * contextLines + 1) last++;
    const start = Math.max(0, changes[first]! - contextLines);
    const part = lines.slice(start, changes[last]! + contextLines + 1);
    const above = lines.slice(0, start);
    hunks.push({ header: `@@ -${range(above, part, '+')} +${range(above, part, '-')} @@`, lines: part });
    first = last + 1;
  }
  return hunks;
}

/** `line,count` on one side: without the lines that only the other has. */
function range(above: readonly DiffLine[], part: readonly DiffLine[], others: Mark): string {
  const count = (some: readonly DiffLine[]) => some.filter(({ mark }) => mark !== others).length;
  const lines = count(part);
  return `${count(above) + (lines === 0 ? 0 : 1)},${lines}`;
}
