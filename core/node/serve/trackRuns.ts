import type { RunExposed } from './runExposed.js';

/** The same, and what waits for all runs that are under way: a server ends only when each has written its end. */
export function trackRuns(run: RunExposed): { readonly run: RunExposed; settled(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  return {
    run(call) {
      const result = run(call);
      running.add(result);
      const done = () => running.delete(result);
      result.then(done, done);
      return result;
    },
    async settled() {
      await Promise.allSettled(running);
    },
  };
}
