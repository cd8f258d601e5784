import type { MaybePromise } from '../ports.js';

/** A run belongs to one process at a time, until it ends or its process does. */
export interface RunLocks {
  /** @throws FileProblem */
  acquire(run_id: string): MaybePromise<RunLock | HeldLock>;
}

export interface RunLock {
  release(): void;
}

/** Another has it. */
export interface HeldLock {
  /** Who, for a message: `process 4711`, `process 12 on the machine build-7`. */
  readonly held_by: string;
  /** Whether that process was seen to be there; if not, its mark may be all that is left of it. */
  readonly is_seen: boolean;
}
