import { Worker } from 'node:worker_threads';
import type { CheckHelper, SharedFolders, SharedPart } from '../check/sharedFolders.js';

/** What the thread is told when it starts. */
export interface ThreadData {
  /** Absolute path of the project folder. */
  readonly root: string;
  /** As of `checkProject`. */
  readonly maxCost?: number | undefined;
}

/** Most of what a check makes is dead by the next file, and two threads share the memory that one had. In MiB. */
const youngGeneration = 4;

/**
 * Starts a thread for files of a project.
 *
 * @param script where the build has put `checkThreadMain.ts`
 */
export function startCheckThread(script: URL, data: ThreadData): CheckHelper {
  const thread = new Worker(script, { workerData: data, resourceLimits: { maxYoungGenerationSizeMb: youngGeneration } });
  const ended = new Promise<never>((_, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The thread ended before its work was done.')));
  });
  // Whoever asks for a check hears of it; before that nobody needs to.
  ended.catch(() => undefined);
  return {
    check(shared: SharedFolders) {
      const part = new Promise<SharedPart>((resolve) => thread.once('message', resolve));
      thread.postMessage(shared);
      return Promise.race([part, ended]);
    },
    end: () => void thread.terminate(),
  };
}
