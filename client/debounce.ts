/** What gathers many small events into one answer. */
export interface Debouncer<Item> {
  add(item: Item): void;
  dispose(): void;
}

/**
 * Hands over what has been added, each item once, when nothing more has come for `quiet` ms, at the latest `longest` ms after the first.
 * While it is being answered, what comes waits for the next time.
 */
export function debounce<Item>(answer: (items: readonly Item[]) => unknown, quiet = 100, longest = 1_000): Debouncer<Item> {
  const waiting = new Set<Item>();
  let timer: NodeJS.Timeout | undefined;
  let first = 0;
  let isBusy = false;
  let isDisposed = false;
  const schedule = () => {
    if (isDisposed || isBusy || waiting.size === 0) return;
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(0, Math.min(quiet, first + longest - Date.now())));
  };
  const run = async () => {
    const items = [...waiting];
    waiting.clear();
    isBusy = true;
    try {
      await answer(items);
    } finally {
      isBusy = false;
      first = Date.now();
      schedule();
    }
  };
  return {
    add(item) {
      if (waiting.size === 0) first = Date.now();
      waiting.add(item);
      schedule();
    },
    dispose() {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}
