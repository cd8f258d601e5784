import type { HrTime } from '@opentelemetry/api';
import type { Clock } from '../ports.js';

/** The time in the form spans take. They need wall-clock times, but durations must not jump with the wall clock: it is read once. */
export function createSpanTime(clock: Clock): () => HrTime {
  const wall = clock.now() - clock.monotonic();
  return () => {
    const milliseconds = wall + clock.monotonic();
    const whole = Math.floor(milliseconds / 1000);
    return [whole, Math.floor((milliseconds - whole * 1000) * 1e6)];
  };
}

/** Seconds from one time to another. */
export function secondsBetween(from: HrTime, to: HrTime): number {
  return to[0] - from[0] + (to[1] - from[1]) / 1e9;
}
