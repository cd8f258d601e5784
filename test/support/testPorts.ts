import { createHash } from 'node:crypto';
import type { Clock, LogLevel, Ports, Random } from '../../core/ports.js';

/** A clock that stands still until `pass` moves it; sleepers wake in order. */
export function standingClock(
  start = Date.UTC(2026, 0, 2, 3, 4, 5),
): Clock & { pass(milliseconds: number): Promise<void>; readonly sleeping: number } {
  let now = start;
  let sleepers: { wake: number; resolve: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now - start,
    get sleeping() {
      return sleepers.length;
    },
    sleep(milliseconds, signal) {
      return new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const sleeper = { wake: now + milliseconds, resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal.reason);
        });
      });
    },
    after(milliseconds, then) {
      const sleeper = { wake: now + milliseconds, resolve: then };
      sleepers.push(sleeper);
      return () => {
        sleepers = sleepers.filter((other) => other !== sleeper);
      };
    },
    async pass(milliseconds) {
      now += milliseconds;
      const due = sleepers.filter(({ wake }) => wake <= now).sort((left, right) => left.wake - right.wake);
      sleepers = sleepers.filter(({ wake }) => wake > now);
      for (const { resolve } of due) resolve();
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    },
  };
}

/** Ids and numbers in a fixed order. */
export function countingRandom(): Random {
  let count = 0;
  return { next: () => 0.5, id: () => (++count).toString(16).padStart(32, '0') };
}

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

export function testPorts(): Pick<Ports, 'random' | 'logger' | 'sha256'> & { clock: ReturnType<typeof standingClock>; lines: LogLine[] } {
  const lines: LogLine[] = [];
  return {
    clock: standingClock(),
    random: countingRandom(),
    lines,
    logger: { log: (level, message, fields) => void lines.push({ level, message, fields }) },
    sha256: (text) => createHash('sha256').update(text, 'utf8').digest('hex'),
  };
}
