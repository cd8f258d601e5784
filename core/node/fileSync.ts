import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './fileErrors.js';

/**
 * Makes files, their names and those of their folders survive a power cut, beside the event loop.
 *
 * @param files absolute paths, in folders that are no links
 * @throws the system's error
 */
export async function syncFiles(files: readonly string[]): Promise<void> {
  for (const file of files) await sync(file);
  if (process.platform === 'win32') return;
  const folders = files.map((file) => dirname(file));
  for (const folder of new Set([...folders, ...folders.map((folder) => dirname(folder))])) await syncFolder(folder);
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
