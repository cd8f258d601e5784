import { pointerOf } from '../../json.js';
import type { PathState, RunPath } from '../../routing/graph/runPath.js';
import type { Story, StoryState } from './types.js';

/**
 * How far a run has come through its orchestration.
 *
 * @param isOver no more events follow: whatever has not ended was interrupted
 */
export function pathOf(story: Story, isOver = false): RunPath {
  const teams = new Map<string, { readonly count: number; readonly state: PathState }>();
  const tasks = new Map<string, PathState>();
  const routes = new Map<string, number>();
  const take = (key: string) => routes.set(key, (routes.get(key) ?? 0) + 1);
  const hasStopped = isOver || story.end !== null;
  const executions = story.teams.slice(story.since.team);
  // A team without its start event may not be the first.
  if ((executions[0]?.execution ?? 0) > 0) take('/entry_team');
  for (const { team, state, tasks: done, route } of executions) {
    teams.set(team, { count: (teams.get(team)?.count ?? 0) + 1, state: toPathState(state, hasStopped) });
    for (const each of done) tasks.set(`${team}/${each.task}`, toPathState(each.state, hasStopped));
    if (route !== null) take(pointerOf('teams', team, 'routing', ...(route.rule === null ? ['default'] : ['rules', route.rule])));
  }
  // Names may be anything, including `__proto__`.
  return {
    teams: Object.fromEntries(teams),
    tasks: Object.fromEntries(tasks),
    ways: Object.fromEntries(routes),
    status: story.end === null ? (isOver ? 'open' : 'running') : endOf(story.end.status),
  };
}

/** Whatever was still running when the run ended did not finish. */
function toPathState(state: StoryState, hasStopped: boolean): PathState {
  if (state === 'running') return hasStopped ? 'failed' : 'running';
  return state === 'completed' ? 'done' : 'failed';
}

function endOf(status: string | null): RunPath['status'] {
  return status === 'completed' || status === 'partial' || status === 'cancelled' ? status : 'failed';
}
