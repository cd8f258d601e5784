import type { Clock } from '../../ports.js';

/** How long the end of the connection is awaited after the end of the answer, in ms, so that it can be used again. */
const patience = 50;

/** Whether the connection ends by itself, soon after the answer has. */
export function endsSoon(chunks: AsyncIterator<Uint8Array>, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const giveUp = clock.after(patience, () => resolve(false));
    const end = (isEnd: boolean) => {
      giveUp();
      resolve(isEnd);
    };
    chunks.next().then(
      ({ done }) => end(done === true),
      () => end(true),
    );
  });
}

/** Whether what was left when a stream ended is a whole event, not half of one. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
