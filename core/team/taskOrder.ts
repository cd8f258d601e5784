import { ConfigInvalidError } from '../errors.js';
import { didYouMean, nearestNames } from '../names.js';
import type { FrozenOrchestration, FrozenTask, FrozenTeam } from '../snapshot/snapshotValue.js';

/** A task and what it waits for. */
export interface OrderedTask {
  readonly task: FrozenTask;
  /** Names of the tasks that must be done first: its `depends_on`, else the task before it that has none either. */
  readonly after: readonly string[];
  /** Whether it fails with one of them: so it does with a `depends_on`, and not where only the file puts it behind. */
  readonly needsThem: boolean;
  /** Every task that is surely done before it: what it waits for, and what those wait for. Its input may look at their outputs. */
  readonly sees: ReadonlySet<string>;
}

/** The tasks of each team by name, in file order, with what each waits for. @throws ConfigInvalidError when some could never begin */
export function orderTeams({ teams }: FrozenOrchestration): ReadonlyMap<string, ReadonlyMap<string, OrderedTask>> {
  return new Map(Object.entries(teams).map(([id, team]) => [id, orderTasks(id, team)]));
}

function orderTasks(team: string, { tasks }: FrozenTeam): ReadonlyMap<string, OrderedTask> {
  const after = new Map<string, readonly string[]>();
  let last: string | undefined;
  for (const { name, depends_on } of tasks) {
    if (after.has(name))
      throw refused(`Team "${team}" has two tasks named "${name}". Rename one: conditions and templates go by the name.`);
    after.set(name, depends_on ?? (last === undefined ? [] : [last]));
    if (depends_on === undefined) last = name;
  }
  for (const [name, others] of after) {
    const unknown = others.find((other) => !after.has(other));
    if (unknown === undefined) continue;
    const nearest = didYouMean(nearestNames(unknown, after.keys()));
    throw refused(`Task "${name}" of team "${team}" depends on "${unknown}", which is no task of that team.${nearest}`);
  }

  const seen = seenBefore(team, after);
  return new Map(
    tasks.map((task) => [
      task.name,
      {
        task,
        after: after.get(task.name) ?? [],
        needsThem: task.depends_on !== undefined,
        sees: seen.get(task.name) ?? new Set(),
      },
    ]),
  );
}

/** For each task all that is done before it. Takes tasks whose predecessors are all taken until none is left; what cannot be taken waits for itself. */
function seenBefore(team: string, after: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, ReadonlySet<string>> {
  const seen = new Map<string, ReadonlySet<string>>();
  const followers = new Map<string, string[]>();
  const missing = new Map<string, number>();
  const ready: string[] = [];
  for (const [name, others] of after) {
    missing.set(name, others.length);
    if (others.length === 0) ready.push(name);
    for (const other of others) followers.set(other, [...(followers.get(other) ?? []), name]);
  }
  for (const name of ready) {
    const before = new Set<string>();
    for (const other of after.get(name) ?? []) {
      before.add(other);
      for (const earlier of seen.get(other) ?? []) before.add(earlier);
    }
    seen.set(name, before);
    for (const follower of followers.get(name) ?? []) {
      const left = (missing.get(follower) ?? 0) - 1;
      missing.set(follower, left);
      if (left === 0) ready.push(follower);
    }
  }
  if (seen.size < after.size)
    throw refused(`In team "${team}" ${circleIn(after, seen)}, so none of them could begin. Take one depends_on away.`);
  return seen;
}

/** One circle among the tasks that are not `done`, in words. */
function circleIn(after: ReadonlyMap<string, readonly string[]>, done: ReadonlyMap<string, unknown>): string {
  const path: string[] = [];
  let name = [...after.keys()].find((one) => !done.has(one)) ?? '';
  while (!path.includes(name)) {
    path.push(name);
    name = after.get(name)?.find((other) => !done.has(other)) ?? '';
  }
  const circle = [...path.slice(path.indexOf(name)), name];
  return `task ${circle.map((one) => `"${one}"`).join(' waits for ')}`;
}

function refused(message: string): ConfigInvalidError {
  return new ConfigInvalidError(message, []);
}
