import { createRunLocks } from '../../../core/node/runLocks.js';
import type { HeldLock } from '../../../core/run/runLocks.js';
import type { RunReference } from '../../panels/run/types.js';

/** Which process has a run: another window, a terminal. Undefined for none. @throws FileProblem where its folder may not be written to */
export function findHolder({ folder, run_id }: RunReference): HeldLock | undefined {
  const lock = createRunLocks(folder.root).acquire(run_id);
  if ('held_by' in lock) return lock;
  lock.release();
  return undefined;
}
