import type { MaybePromise } from '../ports.js';

/** A run belongs to one process at a time, until it ends or its process does. */
export interface RunLocks {
  /** @throws FileProblem */
  acquire(run_id: string): MaybePromise<RunLock | HeldLock>;
}

export interface RunLock {
  release(): void;
}

/** Held by another process. */
export interface HeldLock {
  /** Its holder, for messages: `process 4711`, `process 12 on the machine build-7`. */
  readonly held_by: string;
  /** Whether that process was seen alive; if not, the lock may be stale. */
  readonly is_seen: boolean;
}
