/** Searches and loads that run in the background; requests wait only for those they name. */
export class BackgroundWork {
  private readonly running = new Set<Promise<void>>();
  private readonly onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.onError = onError;
  }

  /** Resolves, never rejects, when the work has ended. */
  add(work: Promise<void>): Promise<void> {
    const added = work.catch(this.onError).finally(() => this.running.delete(added));
    this.running.add(added);
    return added;
  }

  /** Resolves when all work has ended, including work added meanwhile. @throws the signal's reason */
  async ended(signal?: AbortSignal): Promise<void> {
    while (this.running.size > 0) {
      await Promise.race([Promise.all(this.running), ...(signal === undefined ? [] : [aborted(signal)])]);
      signal?.throwIfAborted();
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
