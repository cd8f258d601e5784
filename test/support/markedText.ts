import type { TextRange } from '../../core/finding.js';

/** A stretch of a text with what is said about it: `// ^^^ code words`. */
export interface Mark {
  readonly range: TextRange;
  readonly code: string;
  /** Part of the message; empty when only place and code matter. */
  readonly words: string;
}

export interface MarkedText {
  /** The text without its mark lines, lines ended by `\n`. */
  readonly text: string;
  readonly marks: readonly Mark[];
}

/**
 * A mark stands below the text it is about and is not part of it: two slashes, carets under the marked columns, a code and a
 * part of the message. Text in the first two columns, where the slashes would be, is marked by carets alone. Three dots after
 * the carets say that the stretch goes on below.
 */
const markLine = /^(?:\/\/)?\s*(\^+)(\.\.\.)?\s+([a-z][a-z-]*)(?:\s(.*))?$/;

/** Takes the marks out of a fixture. The end of a mark with three dots is unknown and given as the end of its line. */
export function readMarks(fixture: string): MarkedText {
  const lines: string[] = [];
  const marks: Mark[] = [];
  let lineStart = 0;
  let nextStart = 0;
  for (const line of fixture.split('\n')) {
    const found = markLine.exec(line);
    if (found === null) {
      lines.push(line);
      lineStart = nextStart;
      nextStart += line.length + 1;
      continue;
    }
    const column = line.indexOf('^');
    const start = lineStart + column;
    marks.push({ range: { start, end: start + found[1]!.length }, code: found[3]!, words: (found[4] ?? '').trim() });
  }
  return { text: lines.join('\n'), marks };
}

/** The text with its marks drawn below the lines they start on, in order of place, then of code. The inverse of `readMarks`. */
export function drawMarks(text: string, marks: readonly Mark[]): string {
  const lines = text.split('\n');
  const below = new Map<number, Mark[]>();
  const starts = lineStarts(lines);
  for (const mark of marks) {
    const line = lineOf(starts, mark.range.start);
    below.set(line, [...(below.get(line) ?? []), mark]);
  }
  return lines
    .flatMap((line, index) => {
      const start = starts[index]!;
      return [line, ...(below.get(index) ?? []).sort(byPlace).map((mark) => drawMark(mark, start, line.length))];
    })
    .join('\n');
}

function drawMark(mark: Mark, lineStart: number, lineLength: number): string {
  const column = mark.range.start - lineStart;
  const goesOn = mark.range.end > lineStart + lineLength;
  const end = goesOn ? lineLength : mark.range.end - lineStart;
  const carets = '^'.repeat(Math.max(1, end - column)) + (goesOn ? '...' : '');
  const indent = column < 2 ? ' '.repeat(column) : `//${' '.repeat(column - 2)}`;
  return `${indent}${carets} ${mark.code}${mark.words === '' ? '' : ` ${mark.words}`}`;
}

function byPlace(left: Mark, right: Mark): number {
  return left.range.start - right.range.start || left.range.end - right.range.end || (left.code < right.code ? -1 : 1);
}

function lineStarts(lines: readonly string[]): number[] {
  let start = 0;
  return lines.map((line) => {
    const here = start;
    start += line.length + 1;
    return here;
  });
}

function lineOf(starts: readonly number[], offset: number): number {
  let line = 0;
  while (line + 1 < starts.length && starts[line + 1]! <= offset) line += 1;
  return line;
}
