import { durationText } from '../core/duration.js';
import { visibleText } from '../core/visibleText.js';
import type { Styles } from './terminal/styles.js';
import { costText, totalText, type Used } from './usedText.js';

/** One task that was done, for people. What is unknown is null. */
export interface TaskRow {
  /** Which team execution of the run it belongs to, from 1. */
  readonly execution: number;
  readonly team: string;
  readonly task: string;
  readonly status: string;
  readonly duration_ms: number | null;
  readonly used: Used;
}

/** A table of what was done, a line each, below its heading; empty without tasks. */
export function teamTable(rows: readonly TaskRow[], styles: Styles): readonly string[] {
  if (rows.length === 0) return [];
  const heading = ['team', 'task', 'status', 'took', 'tokens', 'cost'];
  const cells = rows.map(({ execution, team, task, status, duration_ms, used }) => [
    `${execution} ${visibleText(team)}`,
    visibleText(task),
    visibleText(status),
    duration_ms === null ? '?' : durationText(duration_ms),
    totalText(used),
    costText(used),
  ]);
  const widths = heading.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], colour: (text: string, column: number) => string) =>
    row
      .map((text, column) => colour(column >= 3 ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0), column))
      .join('  ')
      .trimEnd();
  return [
    line(heading, (text) => styles.dim(text)),
    ...cells.map((row, index) =>
      line(row, (text, column) => (column === 2 ? statusColour(rows[index]?.status ?? '', styles)(text) : text)),
    ),
  ];
}

export function statusColour(status: string, { green, yellow, red }: Styles): (text: string) => string {
  if (status === 'completed') return green;
  return status === 'cancelled' || status === 'partial' ? yellow : red;
}
