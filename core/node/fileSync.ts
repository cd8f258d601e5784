import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './fileErrors.js';

/** How many syncs run at a time: journals sync in the same few threads, and every step waits for theirs. */
const atATime = 2;
/** How many calls are answered together. */
const mostTogether = 64;

interface Waiting {
  readonly files: readonly string[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes files, their names and those of their folders survive a power cut, beside the event loop. Calls that wait at the same moment are
 * answered together, and a folder that several of them share is synced once.
 *
 * @returns called with absolute paths of files in folders that are no links @throws the system's error
 */
export function createFileSync(): (files: readonly string[]) => Promise<void> {
  const waiting: Waiting[] = [];
  let isBusy = false;

  async function work(): Promise<void> {
    isBusy = true;
    // Calls that arrive in the same tick are synced together.
    await null;
    while (waiting.length > 0) await syncTogether(waiting.splice(0, mostTogether));
    isBusy = false;
  }

  return (files) =>
    new Promise((resolve, reject) => {
      waiting.push({ files, resolve, reject });
      if (!isBusy) void work();
    });
}

async function syncTogether(calls: readonly Waiting[]): Promise<void> {
  try {
    const files = new Set(calls.flatMap((call) => call.files));
    await forEachOf(files, (file) => sync(file));
    if (process.platform !== 'win32') {
      const folders = new Set([...files].map((file) => dirname(file)));
      await forEachOf(folders, syncFolder);
      await forEachOf(new Set([...folders].map((folder) => dirname(folder))), syncFolder);
    }
    for (const { resolve } of calls) resolve();
  } catch (error) {
    for (const { reject } of calls) reject(error);
  }
}

async function forEachOf(places: ReadonlySet<string>, act: (place: string) => Promise<void>): Promise<void> {
  const left = places.values();
  const worker = async () => {
    for (const place of left) await act(place);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

function sync(place: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Opening and closing take microseconds; it is the disk that takes time.
    const file = fs.openSync(place, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
    fs.fsync(file, (error) => {
      fs.closeSync(file);
      if (error) reject(error);
      else resolve();
    });
  });
}

async function syncFolder(folder: string): Promise<void> {
  try {
    await sync(folder);
  } catch (error) {
    // Some file systems have no fsync for folders; the files themselves are safe by now.
    if (!folderRefusals.has(errorCode(error) ?? '')) throw error;
  }
}

/** What is said of folders that cannot be synced. */
export const folderRefusals: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EBADF', 'EPERM', 'EACCES']);
