import type { JsonObject } from '../../core/json.js';
import type { StoredRun } from '../../core/run/readRuns.js';
import { numberAt, objectAt, ownAt, textAt } from '../../core/run/untrusted.js';
import { visibleText } from '../../core/visibleText.js';
import { errorLine } from '../errorWords.js';
import { type TaskRow, teamTable } from '../teamTable.js';
import { cutLine } from '../terminal/fold.js';
import type { Styles } from '../terminal/styles.js';

/** The way of a kept orchestration, from its events: its teams and where it went from each, then what each task took. They may say anything. */
export function teamLines({ events }: StoredRun, styles: Styles, columns: number): readonly string[] {
  const { bold, cyan, dim, red, yellow } = styles;
  const way: string[] = [];
  const rows: TaskRow[] = [];
  let execution = 0;
  for (const event of sinceLastStart(events)) {
    const team = textAt(event, 'team') ?? '?';
    const task = textAt(event, 'task') ?? '?';
    switch (event.type) {
      case 'run_start':
        if (event.resumed !== undefined) way.push(dim(`resumed with ${numberAt(event, 'resumed') ?? '?'} finished steps`));
        break;
      case 'team_start':
        execution = numberAt(event, 'execution') ?? execution + 1;
        way.push(bold(`${execution} ${visibleText(team)}`));
        break;
      case 'task_end': {
        const row = rowOf(event, execution, team, task);
        rows.push(row);
        const error = objectAt(objectAt(event, 'result'), 'error');
        const code = textAt(error, 'code');
        const message = textAt(error, 'message') ?? '';
        way.push(`  ${visibleText(task)}  ${visibleText(row.status)}`);
        if (code !== null) {
          const told = cutLine(errorLine({ code, message, details: ownAt(error, 'details') }), columns - 4);
          way.push(`    ${code === 'cancelled' ? yellow(told) : red(told)}`);
        }
        break;
      }
      case 'route': {
        const rule = numberAt(event, 'rule');
        const notes = ownAt(event, 'notes');
        way.push(
          `  ${cyan(`-> ${visibleText(textAt(event, 'next_team') ?? 'end')}`)}  ${dim(rule === null ? 'default' : `rule ${rule + 1}`)}`,
        );
        for (const note of Array.isArray(notes) ? notes : []) if (typeof note === 'string') way.push(`     ${yellow(visibleText(note))}`);
        break;
      }
      default:
        break;
    }
  }
  return [...(way.length > 0 ? ['', ...way] : []), ...(rows.length > 0 ? ['', ...teamTable(rows, styles)] : [])];
}

/** A run that went on tells its way from the beginning. */
function sinceLastStart(events: readonly JsonObject[]): readonly JsonObject[] {
  const start = events.findLastIndex(({ type }) => type === 'run_start');
  return events.slice(Math.max(0, start));
}

function rowOf(event: JsonObject, execution: number, team: string, task: string): TaskRow {
  const metadata = objectAt(objectAt(event, 'result'), 'metadata');
  return {
    execution,
    team,
    task,
    status: textAt(event, 'status') ?? '?',
    duration_ms: numberAt(metadata, 'execution_time_ms'),
    used: {
      total_tokens: numberAt(objectAt(metadata, 'token_usage'), 'total_tokens'),
      cost: numberAt(metadata, 'estimated_cost_usd'),
      simulated: ownAt(metadata, 'simulated') === true,
      isIncomplete: ownAt(metadata, 'token_usage_incomplete') === true,
    },
  };
}
