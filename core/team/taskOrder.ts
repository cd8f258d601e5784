import { ConfigInvalidError } from '../errors.js';
import { didYouMean, nearestNames } from '../names.js';
import { doneBefore, waitsOf } from '../routing/taskWaits.js';
import type { FrozenOrchestration, FrozenTask, FrozenTeam } from '../snapshot/snapshotValue.js';

/** A task and what it waits for. */
export interface OrderedTask {
  readonly task: FrozenTask;
  /** Names of the tasks that must finish first: its `depends_on`, else the previous task without one. */
  readonly after: readonly string[];
  /** Whether it fails with one of them: it does for a `depends_on`, but not where it only follows in the file. */
  readonly needsThem: boolean;
  /** Every task that is certainly done before it: what it waits for, and what those wait for. Its input may read their outputs. */
  readonly sees: ReadonlySet<string>;
}

/** The tasks of each team by name, in file order, with what each waits for. @throws ConfigInvalidError when some never could start */
export function orderTeams({ teams }: FrozenOrchestration): ReadonlyMap<string, ReadonlyMap<string, OrderedTask>> {
  return new Map(Object.entries(teams).map(([id, team]) => [id, orderTasks(id, team)]));
}

function orderTasks(team: string, { tasks }: FrozenTeam): ReadonlyMap<string, OrderedTask> {
  const waits = waitsOf(tasks);
  const names = new Set<string>();
  const twice = tasks.find(({ name }) => names.size === names.add(name).size);
  if (twice) throw refused(`Team "${team}" has two tasks named "${twice.name}". Rename one, since conditions and templates use the name.`);
  for (const [name, others] of waits) {
    const unknown = others.find((other) => !waits.has(other));
    if (unknown === undefined) continue;
    const nearest = didYouMean(nearestNames(unknown, waits.keys()));
    throw refused(`Task "${name}" of team "${team}" depends on "${unknown}", which is not a task of that team.${nearest}`);
  }
  const before = doneBefore(waits);
  if (before.able.size < waits.size)
    throw refused(`In team "${team}" ${circleIn(waits, before.able)}, so none of them could start. Remove one depends_on.`);
  return new Map(
    tasks.map((task) => {
      const { name, depends_on } = task;
      const ordered: OrderedTask = {
        task,
        after: waits.get(name) ?? [],
        needsThem: depends_on !== undefined,
        get sees() {
          return before.get(name) ?? new Set<string>();
        },
      };
      return [name, ordered];
    }),
  );
}

/** One circle among the tasks that are not `done`, in words. */
function circleIn(after: ReadonlyMap<string, readonly string[]>, done: ReadonlySet<string>): string {
  const path: string[] = [];
  let name = [...after.keys()].find((taskName) => !done.has(taskName)) ?? '';
  while (!path.includes(name)) {
    path.push(name);
    name = after.get(name)?.find((other) => !done.has(other)) ?? '';
  }
  const circle = [...path.slice(path.indexOf(name)), name];
  return `task ${circle.map((taskName) => `"${taskName}"`).join(' waits for ')}`;
}

function refused(message: string): ConfigInvalidError {
  return new ConfigInvalidError(message, []);
}
