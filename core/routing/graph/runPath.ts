import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';

export type PathState = 'running' | 'done' | 'failed';

/** How far a run has come through an orchestration, by what its events tell. */
export interface RunPath {
  /** Of each team that has begun, by id: how often, and how it stands. */
  readonly teams: Readonly<Record<string, { readonly count: number; readonly state: PathState }>>;
  /** Of each task that has begun, by `team/task`: how its last turn stands. */
  readonly tasks: Readonly<Record<string, PathState>>;
  /** How often each way was taken, by the key of its edge. */
  readonly ways: Readonly<Record<string, number>>;
  /** `running` until the run has told its end; `open` where it was interrupted before it could. */
  readonly status: 'running' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'open';
}

/** The path so far; `add` takes the events of a run one by one, which may say anything. */
export interface RunPathReader {
  /** Whether the event has changed the path. */
  add(event: JsonObject): boolean;
  /** No more events come: what has not told its end was interrupted. */
  close(): void;
  readonly path: RunPath;
}

export function createRunPath(): RunPathReader {
  const teams = new Map<string, { count: number; state: PathState }>();
  const tasks = new Map<string, PathState>();
  const ways = new Map<string, number>();
  let status: RunPath['status'] = 'running';
  const take = (key: string) => ways.set(key, (ways.get(key) ?? 0) + 1);

  /** What was going on when the run came to an end did not get to its own. */
  function stop(): void {
    for (const [id, { count, state }] of teams) if (state === 'running') teams.set(id, { count, state: 'failed' });
    for (const [name, state] of tasks) if (state === 'running') tasks.set(name, 'failed');
  }

  function add(event: JsonObject): boolean {
    const team = textOf(event.team);
    const task = textOf(event.task);
    switch (event.type) {
      case 'run_start':
        // Of a run that goes on everything is told again.
        teams.clear();
        tasks.clear();
        ways.clear();
        status = 'running';
        return true;
      case 'team_start':
        if (teams.size === 0) take('/entry_team');
        teams.set(team, { count: (teams.get(team)?.count ?? 0) + 1, state: 'running' });
        return true;
      case 'task_start':
        tasks.set(`${team}/${task}`, 'running');
        return true;
      case 'task_end':
        tasks.set(`${team}/${task}`, event.status === 'completed' ? 'done' : 'failed');
        return true;
      case 'route':
        take(
          typeof event.rule === 'number'
            ? pointerOf('teams', team, 'routing', 'rules', event.rule)
            : pointerOf('teams', team, 'routing', 'default'),
        );
        return true;
      case 'team_end': {
        // A team with a failed task has come to its end all the same.
        const failed = [...tasks].some(([name, state]) => state === 'failed' && name.startsWith(`${team}/`));
        teams.set(team, { count: teams.get(team)?.count ?? 1, state: failed ? 'failed' : 'done' });
        return true;
      }
      case 'final': {
        const told = isObject(event.result) ? event.result.status : undefined;
        status = told === 'completed' || told === 'partial' || told === 'cancelled' ? told : 'failed';
        stop();
        return true;
      }
      default:
        return false;
    }
  }

  return {
    add,
    close() {
      if (status !== 'running') return;
      status = 'open';
      stop();
    },
    get path() {
      return { teams: toRecord(teams), tasks: toRecord(tasks), ways: toRecord(ways), status };
    },
  };
}

/** Names may be anything, `__proto__` too. */
function toRecord<Value>(map: ReadonlyMap<string, Value>): Readonly<Record<string, Value>> {
  return Object.fromEntries(map);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
