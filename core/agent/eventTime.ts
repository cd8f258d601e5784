import type { Clock } from '../ports.js';

/** The time as events tell it (ISO 8601). Events come in bursts, and writing a date costs more than all the rest of one. */
export function createEventTime(clock: Pick<Clock, 'now'>): () => string {
  let lastNow = Number.NaN;
  let lastTime = '';
  return () => {
    const now = clock.now();
    if (now !== lastNow) {
      lastNow = now;
      lastTime = new Date(now).toISOString();
    }
    return lastTime;
  };
}
