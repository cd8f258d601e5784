/** The fields of a task that determine its order. */
export interface WaitingTask {
  readonly name: string;
  readonly depends_on?: readonly string[] | undefined;
}

/**
 * The tasks each task of a team waits for, in file order: its `depends_on`, else the previous task without one. Of tasks with one name
 * the first counts.
 */
export function waitsOf(tasks: Iterable<WaitingTask>): ReadonlyMap<string, readonly string[]> {
  const waits = new Map<string, readonly string[]>();
  let last: string | undefined;
  for (const { name, depends_on } of tasks) {
    if (waits.has(name)) continue;
    waits.set(name, depends_on ?? (last === undefined ? [] : [last]));
    if (depends_on === undefined) last = name;
  }
  return waits;
}

/** What is certainly done before each task of a team starts: what it waits for, and what those wait for. */
export interface DoneBefore {
  /** The tasks that can start. Those that never could, because they wait for each other or for a task outside the team, are left out. */
  readonly able: ReadonlySet<string>;
  /** Undefined for a task that never could start. Computed on request: a long chain of tasks has very many. */
  get(name: string): ReadonlySet<string> | undefined;
  /** Whether `other` is among them. */
  includes(name: string, other: string): boolean;
}

export function doneBefore(waits: ReadonlyMap<string, readonly string[]>): DoneBefore {
  const able = findAble(waits);
  function* earlier(name: string): Generator<string, void, undefined> {
    const seen = new Set<string>();
    const open = [...(waits.get(name) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      yield next;
      for (const other of waits.get(next) ?? []) open.push(other);
    }
  }
  return {
    able,
    get: (name) => (able.has(name) ? new Set(earlier(name)) : undefined),
    includes(name, other) {
      for (const earlierTask of earlier(name)) if (earlierTask === other) return able.has(name);
      return false;
    },
  };
}

function findAble(waits: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const followers = new Map<string, string[]>();
  const missing = new Map<string, number>();
  const able = new Set<string>();
  for (const [name, others] of waits) {
    missing.set(name, others.length);
    if (others.length === 0) able.add(name);
    for (const other of others) {
      const list = followers.get(other);
      if (list) list.push(name);
      else followers.set(other, [name]);
    }
  }
  // A set grows while it is iterated.
  for (const name of able) {
    for (const follower of followers.get(name) ?? []) {
      const missingCount = (missing.get(follower) ?? 0) - 1;
      missing.set(follower, missingCount);
      if (missingCount === 0) able.add(follower);
    }
  }
  return able;
}
