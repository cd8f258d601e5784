import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished } from 'vitest';

/** Functions by which files come to be and to last. */
const writing = [
  'mkdirSync',
  'openSync',
  'writeSync',
  'writeFileSync',
  'linkSync',
  'renameSync',
  'fsync',
  'fsyncSync',
  'fdatasync',
] as const;
export type WritingCall = (typeof writing)[number];

/** @returns the system's error in place of the call, if it is to fail */
export type Disturb = (call: WritingCall, place: string | number) => NodeJS.ErrnoException | undefined;

/** Tells `disturb` of each system call that writes, in this process, until the test is over or it is taken back. */
export function watchFs(disturb: Disturb): () => void {
  const originals = Object.fromEntries(writing.map((name) => [name, fs[name]]));
  for (const name of writing) {
    const original = fs[name] as (...args: unknown[]) => unknown;
    const watched = (...args: unknown[]): unknown => {
      const [place, flags] = args as [string | number, unknown];
      const error = name === 'openSync' && isReading(flags) ? undefined : disturb(name, place);
      if (error === undefined) return original.apply(fs, args);
      const told = args.at(-1);
      if (typeof told !== 'function') throw error;
      queueMicrotask(() => told(error));
      return undefined;
    };
    Object.assign(fs, { [name]: watched });
  }
  syncBuiltinESMExports();
  const restore = () => {
    Object.assign(fs, originals);
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  return restore;
}

/** An error as the system gives it. */
export function systemError(code: 'ENOSPC' | 'EIO' | 'EROFS'): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: made by a test`), { code });
}

function isReading(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) === 0;
  return flags === undefined || flags === 'r';
}
