import type { TextRange } from '../../core/finding.js';
import { type Cell, toCells } from './cells.js';
import type { Styles } from './styles.js';

export interface FrameOptions {
  /** Columns the whole frame may take, gutter included. */
  readonly columns: number;
  readonly styles: Styles;
  /** Colours the carets. */
  readonly mark: (text: string) => string;
}

/**
 * The place a finding is about, as a compiler shows it: the line with carets under the range, the lines before and after.
 * Of a range over several lines the first is marked. A line too long for the terminal is cut to a window around the range.
 */
export function codeFrame(text: string, range: TextRange, line: number, { columns, styles, mark }: FrameOptions): string[] {
  const start = Math.min(range.start, text.length);
  const bounds = lineAround(text, start);
  const before = line > 1 ? lineAround(text, previousLineEnd(text, bounds.start)) : undefined;
  // The rest after the last line break is not a separate line.
  const after = bounds.next === undefined || bounds.next === text.length ? undefined : lineAround(text, bounds.next);
  const digits = String(line + 1).length;
  const room = Math.max(20, columns - digits - 5);
  const gutter = (sign: string, label: string) => `${sign} ${styles.dim(`${label.padStart(digits)} |`)}`;

  const marked = markedLine(text, bounds, { start, end: Math.min(range.end, bounds.end) }, room);
  const frame: string[] = [];
  if (before && !marked.cutLeft) frame.push(`${gutter(' ', String(line - 1))} ${plainLine(text, before, room)}`.trimEnd());
  frame.push(`${gutter(mark('>'), String(line))} ${marked.text}`.trimEnd());
  frame.push(`${gutter(' ', '')} ${' '.repeat(marked.offset)}${mark('^'.repeat(marked.width))}`);
  if (after && !marked.cutLeft) frame.push(`${gutter(' ', String(line + 1))} ${plainLine(text, after, room)}`.trimEnd());
  return frame;
}

interface LineBounds {
  readonly start: number;
  /** Without the line break. */
  readonly end: number;
  /** Where the next line begins; undefined for the last. */
  readonly next: number | undefined;
}

const lineBreak = /\r\n|\n|\r/g;

/** The line that `offset` is on; a line's own break belongs to it, a byte order mark to no line. */
function lineAround(text: string, offset: number): LineBounds {
  const lastBreak = offset === 0 ? -1 : Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1));
  const start = lastBreak < 0 && text.startsWith('\ufeff') ? 1 : lastBreak + 1;
  lineBreak.lastIndex = Math.max(start, offset);
  const match = lineBreak.exec(text);
  if (match === null) return { start, end: text.length, next: undefined };
  return { start, end: match.index, next: match.index + match[0].length };
}

function previousLineEnd(text: string, lineStart: number): number {
  return text[lineStart - 1] === '\n' && text[lineStart - 2] === '\r' ? lineStart - 2 : lineStart - 1;
}

function plainLine(text: string, { start, end }: LineBounds, room: number): string {
  // A cell takes at least one unit for every two columns but joined marks, so twice the room is always enough to fill it.
  const cells = toCells(text.slice(start, Math.min(end, start + 2 * room)));
  const cut = fill(cells, 0, room);
  const whole = cut.to === cells.length && end <= start + 2 * room;
  return whole ? joined(cells) : `${joined(cells.slice(0, fill(cells, 0, room - 1).to))}…`;
}

/** The line with the range in view; `offset` and `width` are the carets' columns. */
function markedLine(text: string, bounds: LineBounds, range: TextRange, room: number) {
  // Only what can be in view is cut into cells: a minified file of 10 MB is one line.
  const reach = 4 * room;
  const from = safeCut(text, Math.max(bounds.start, range.start - reach));
  const to = Math.min(bounds.end, range.start + reach);
  const cells = toCells(text.slice(from, to));
  const first = cells.findIndex((cell) => from + cell.end > range.start);
  const target = first < 0 ? cells.length : first;

  // A caret after the last character takes a column too.
  const needed = widthOf(cells, 0, cells.length) + (target === cells.length ? 1 : 0);
  const uncut = from === bounds.start && to === bounds.end && needed <= room;
  let left = 0;
  let right = cells.length;
  if (!uncut) {
    // A third of the room goes to the text before the range, more where the line ends soon after it.
    const rest = widthOf(cells, target, cells.length);
    const lead = Math.max(Math.floor(room / 3), room - 2 - rest);
    left = target;
    for (let used = 0; left > 0; left--) {
      used += cells[left - 1]!.width;
      if (used > lead - 1) break;
    }
    right = fill(cells, left, room - 2).to;
  }
  const cutLeft = left > 0 || from > bounds.start;
  const cutRight = right < cells.length || to < bounds.end;
  const visible = cells.slice(left, right);
  const inRange = visible.filter((cell) => from + cell.start < range.end && from + cell.end > range.start);
  return {
    text: `${cutLeft ? '…' : ''}${joined(visible)}${cutRight ? '…' : ''}`,
    offset: (cutLeft ? 1 : 0) + widthOf(cells, left, Math.min(target, right)),
    width: Math.max(1, widthOf(inRange, 0, inRange.length)),
    cutLeft,
  };
}

/** How many cells from `left` fit into `room` columns. */
function fill(cells: readonly Cell[], left: number, room: number): { to: number } {
  let used = 0;
  let to = left;
  while (to < cells.length && used + cells[to]!.width <= room) used += cells[to++]!.width;
  return { to };
}

function widthOf(cells: readonly Cell[], from: number, to: number): number {
  let width = 0;
  for (let index = from; index < to; index++) width += cells[index]!.width;
  return width;
}

function joined(cells: readonly Cell[]): string {
  return cells.map((cell) => cell.text).join('');
}

/** Not between the halves of a surrogate pair. */
function safeCut(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  return 0xdc00 <= unit && unit <= 0xdfff ? offset - 1 : offset;
}
