/** Lets others have their turn. */
export type Pace = () => Promise<void>;

/** Milliseconds of work after which others have their turn: a fifth of what a user would notice. */
const slice = 10;

/** Called between small pieces of work; waits a turn of the event loop when a slice of time is used up. @param now milliseconds */
export function createPacer(now = () => performance.now()): Pace {
  let began = now();
  return async () => {
    if (now() - began < slice) return;
    await new Promise((resolve) => setImmediate(resolve));
    began = now();
  };
}
