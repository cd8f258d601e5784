import { type DiffLine, type DiffMark, diffLines, stretchesOf } from '../../core/diffLines.js';

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
  return stretchesOf(lines, contextLines).map(({ start, end }) => {
    const [above, part] = [lines.slice(0, start), lines.slice(start, end)];
    return { header: `@@ -${range(above, part, '+')} +${range(above, part, '-')} @@`, lines: part };
  });
}

/** `line,count` on one side: without the lines that only the other has. */
function range(above: readonly DiffLine[], part: readonly DiffLine[], others: DiffMark): string {
  const count = (some: readonly DiffLine[]) => some.filter(({ mark }) => mark !== others).length;
  const lines = count(part);
  return `${count(above) + (lines === 0 ? 0 : 1)},${lines}`;
}
