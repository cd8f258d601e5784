import type { MaybePromise } from '../ports.js';
import type { CheckProgress, CheckProjectOptions } from './checkProject.js';

/** Milliseconds between two turns of the event loop, where an abort can arrive and progress can be shown; and steps between two looks at the time. */
const turn = { every: 50, steps: 32 };

/**
 * To be called after each small step of a check: lets the event loop have its turn now and then.
 *
 * @param progress how far the check is
 * @throws the signal's reason
 */
export function createTurns(
  { clock, onProgress, signal }: Pick<CheckProjectOptions, 'clock' | 'onProgress' | 'signal'>,
  progress: () => CheckProgress,
): () => MaybePromise<void> {
  let steps = 0;
  let last = clock?.monotonic() ?? 0;
  const haveTurn = async () => {
    onProgress?.(progress());
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
  };
  return () => {
    steps += 1;
    if (steps % turn.steps !== 0 || (signal === undefined && onProgress === undefined)) return;
    const now = clock?.monotonic() ?? last + turn.every;
    if (now - last < turn.every) return;
    last = now;
    return haveTurn();
  };
}
