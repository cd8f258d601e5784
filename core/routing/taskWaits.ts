/** A task as far as its order goes. */
export interface WaitingTask {
  readonly name: string;
  readonly depends_on?: readonly string[] | undefined;
}

/**
 * The tasks each task of a team waits for, in file order: its `depends_on`, else the one before it that has none either. Of tasks with one name
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

/**
 * For each task all that is surely done before it begins: what it waits for, and what those wait for. Tasks that could never begin, since they
 * wait for each other or for none of the team, are left out.
 */
export function doneBefore(waits: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, ReadonlySet<string>> {
  const done = new Map<string, ReadonlySet<string>>();
  const followers = new Map<string, string[]>();
  const missing = new Map<string, number>();
  const ready: string[] = [];
  for (const [name, others] of waits) {
    missing.set(name, others.length);
    if (others.length === 0) ready.push(name);
    for (const other of others) {
      const list = followers.get(other);
      if (list) list.push(name);
      else followers.set(other, [name]);
    }
  }
  // An array grows while it is walked.
  for (const name of ready) {
    const before = new Set<string>();
    for (const other of waits.get(name) ?? []) {
      before.add(other);
      for (const earlier of done.get(other) ?? []) before.add(earlier);
    }
    done.set(name, before);
    for (const follower of followers.get(name) ?? []) {
      const left = (missing.get(follower) ?? 0) - 1;
      missing.set(follower, left);
      if (left === 0) ready.push(follower);
    }
  }
  return done;
}
