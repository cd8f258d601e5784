/**
 * Runs `work` soon after it is asked for, never twice at once: what is asked for while it runs is one more run right after, so that
 * nothing waits for a timer and the last state is always seen.
 */
export function singleFlight(work: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let isRunning = false;
  let isWanted = false;
  const run = async () => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      try {
        await work();
      } catch (error) {
        onError(error);
      }
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
