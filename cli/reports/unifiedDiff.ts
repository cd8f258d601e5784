import { type DiffLine, type DiffMark, diffLines } from '../../core/diffLines.js';

/** Lines before and after a change. */
const contextLines = 3;

/** A change of a file in the format of `diff -u` and `git apply`; empty when nothing differs. */
export function unifiedDiff(path: string, before: string, after: string): readonly string[] {
  if (before === after) return [];
  const lines = diffLines(linesOf(before), linesOf(after));
  return [`--- a/${path}`, `+++ b/${path}`, ...hunksOf(lines).flatMap((hunk) => [hunk.header, ...hunk.lines.flatMap(printed)])];
}

/** Each with its line break, which may be missing at the end. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function printed({ mark, text }: DiffLine): readonly string[] {
  return text.endsWith('\n') ? [mark + text.slice(0, -1)] : [mark + text, '\\ No newline at end of file'];
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
function range(above: readonly DiffLine[], part: readonly DiffLine[], others: DiffMark): string {
  const count = (some: readonly DiffLine[]) => some.filter(({ mark }) => mark !== others).length;
  const lines = count(part);
  return `${count(above) + (lines === 0 ? 0 : 1)},${lines}`;
}
