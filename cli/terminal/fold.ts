import { visibleLines } from '../../core/visibleText.js';
import { toCells } from './cells.js';

/** The lines of a text, each cut to what fits into `columns` with an ellipsis at its end, at most `most`; the rest is counted in one more line. */
export function fold(text: string, columns: number, most: number): readonly string[] {
  const lines = text.split(/\r?\n/);
  while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop();
  const kept = lines.length <= most ? lines : lines.slice(0, Math.max(1, most - 1));
  const rest = lines.length - kept.length;
  return [...kept.map((line) => cutLine(line, columns)), ...(rest > 0 ? [`(${rest} more lines)`] : [])];
}

/** One line that fits into `columns`. The rest is never cut into cells: it may be megabytes. */
export function cutLine(text: string, columns: number): string {
  const room = Math.max(10, columns);
  const start = visibleLines(text.slice(0, 4 * room).toWellFormed()).replaceAll('\n', ' ');
  const cells = toCells(start);
  let used = 0;
  let count = 0;
  while (count < cells.length && used + (cells[count]?.width ?? 0) <= room) used += cells[count++]?.width ?? 0;
  const isWhole = count === cells.length && text.length <= 4 * room;
  if (isWhole) return cells.map((cell) => cell.text).join('');
  while (count > 0 && used > room - 1) used -= cells[--count]?.width ?? 0;
  return `${cells
    .slice(0, count)
    .map((cell) => cell.text)
    .join('')}…`;
}
