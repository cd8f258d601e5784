import { errorLine } from '../../core/errorTitles.js';
import type { StoredRun } from '../../core/run/readRuns.js';
import { createStory } from '../../core/run/story/createStory.js';
import { visibleText } from '../../core/visibleText.js';
import { type EndedTask, teamTable } from '../teamTable.js';
import { cutLine } from '../terminal/fold.js';
import type { Styles } from '../terminal/styles.js';

/** The way of a kept orchestration: its teams and where it went from each, then what each task took. */
export function teamLines({ events }: Pick<StoredRun, 'events'>, styles: Styles, columns: number): readonly string[] {
  const { bold, cyan, dim, red, yellow } = styles;
  const { add } = createStory();
  let way: string[] = [];
  let ended: EndedTask[] = [];
  for (const event of events) {
    const change = add(event);
    switch (change.type) {
      case 'start':
        // A run that is resumed tells its way from the beginning.
        way = change.resumed === null ? [] : [dim(`resumed with ${change.resumed} finished steps`)];
        ended = [];
        break;
      case 'team':
        way.push(bold(`${change.team.execution} ${visibleText(change.team.team)}`));
        break;
      case 'task_end': {
        ended.push(change);
        const { task, status, end } = change.task;
        way.push(`  ${visibleText(task)}  ${visibleText(status ?? '?')}`);
        if (end?.error) way.push(`    ${(end.error.code === 'cancelled' ? yellow : red)(cutLine(errorLine(end.error), columns - 4))}`);
        break;
      }
      case 'route': {
        const { rule = null, next_team, notes = [] } = change.team.route ?? {};
        way.push(`  ${cyan(`-> ${visibleText(next_team ?? 'end')}`)}  ${dim(rule === null ? 'default' : `rule ${rule + 1}`)}`);
        way.push(...notes.map((note) => `     ${yellow(visibleText(note))}`));
        break;
      }
      default:
        break;
    }
  }
  return [...(way.length > 0 ? ['', ...way] : []), ...(ended.length > 0 ? ['', ...teamTable(ended, styles)] : [])];
}
