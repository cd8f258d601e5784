import { durationText } from '../core/amounts.js';
import type { StoryTask, StoryTeam } from '../core/run/story/types.js';
import { visibleText } from '../core/visibleText.js';
import type { Styles } from './terminal/styles.js';
import { costText, totalText } from './usedText.js';

/** A task that has ended, and the execution of the team that it belongs to. */
export interface EndedTask {
  readonly team: StoryTeam;
  readonly task: StoryTask;
}

/** A table of what was done, a line each, below its heading; empty without tasks. */
export function teamTable(tasks: readonly EndedTask[], styles: Styles): readonly string[] {
  if (tasks.length === 0) return [];
  const heading = ['team', 'task', 'status', 'took', 'tokens', 'cost'];
  const cells = tasks.map(({ team: { execution, team }, task: { task, status, end } }) => [
    `${execution} ${visibleText(team)}`,
    visibleText(task),
    visibleText(status ?? '?'),
    end === null || end.duration_ms === null ? '?' : durationText(end.duration_ms),
    end === null ? 'unknown' : totalText(end),
    end === null ? 'unknown' : costText(end),
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
      line(row, (text, column) => (column === 2 ? statusColour(tasks[index]?.task.status ?? '', styles)(text) : text)),
    ),
  ];
}

export function statusColour(status: string, { green, yellow, red }: Styles): (text: string) => string {
  if (status === 'completed') return green;
  return status === 'cancelled' || status === 'partial' ? yellow : red;
}
