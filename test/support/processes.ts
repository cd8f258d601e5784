import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Whether a process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // No /proc on this system, or gone meanwhile: a second signal tells which.
    return process.platform !== 'linux';
  }
}

/** Waits until the process is gone; fails when it stays. */
export async function endOf(pid: number): Promise<void> {
  await expect.poll(() => isRunning(pid), { timeout: 5000, interval: 20 }).toBe(false);
}
