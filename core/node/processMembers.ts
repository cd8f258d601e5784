import { readdirSync, readFileSync } from 'node:fs';

export interface Members {
  /** Id of a process group. */
  readonly group: number;
  /** `NAME=value` in the environment of those that have left the group. */
  readonly mark: string;
}

/**
 * Ids of the living processes (Linux) that are in a group, or that have its mark. Not counted are dead members that were never waited for: in a
 * container without an init they stay for ever, and still count for the system.
 */
export function membersOf({ group, mark }: Members): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const [, state, memberOf] = /^.*\) (\S) \d+ (\d+) /s.exec(read(`/proc/${name}/stat`)) ?? [];
      if (state === undefined || state === 'Z' || state === 'X') return false;
      return Number(memberOf) === group || read(`/proc/${name}/environ`).split('\0').includes(mark);
    })
    .map(Number);
}

/** Empty for a process that has ended meanwhile, or that belongs to another user. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return '';
  }
}
