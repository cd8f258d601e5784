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
    .map(Number)
    .filter((id) => {
      const memberOf = livingGroup(id);
      return memberOf !== undefined && (memberOf === group || read(`/proc/${id}/environ`).split('\0').includes(mark));
    });
}

/** Whether a process (Linux) is there and not dead, however little of it is left. */
export function isLiving(id: number): boolean {
  return livingGroup(id) !== undefined;
}

/** Id of the process group of a living process. */
function livingGroup(id: number): number | undefined {
  const [, state, group] = /^.*\) (\S) \d+ (\d+) /s.exec(read(`/proc/${id}/stat`)) ?? [];
  return state === undefined || state === 'Z' || state === 'X' ? undefined : Number(group);
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
