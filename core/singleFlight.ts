/**
 * Runs `work` soon after each request, never concurrently: requests during a run cause one more run right after it, so that nothing waits for a
 * timer and the last state is always processed.
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
