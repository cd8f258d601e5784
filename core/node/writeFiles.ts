import * as fs from 'node:fs';
import { dirname, sep } from 'node:path';
import { errorCode } from './fileErrors.js';

interface WholeFile {
  /** Exact permissions; undefined for what the process creates files with. */
  readonly mode: number | undefined;
  readonly durable: boolean;
}

/** A new file. @throws the system's error, `EEXIST` where there is one */
function writeWhole(place: string, text: string, whole: WholeFile): void {
  fill(openNew(place), text, whole);
}

/** @throws as `writeWhole` */
export function openNew(place: string, flags: 'wx' | 'ax' = 'wx'): number {
  return fs.openSync(place, flags, 0o666);
}

/** Writes an open file and closes it. */
export function fill(file: number, text: string, { mode, durable }: WholeFile): void {
  try {
    writeAll(file, text);
    if (mode !== undefined) fs.fchmodSync(file, mode);
    if (durable) fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Behind what an open file holds; a disk that is nearly full takes a part of it only. */
export function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += fs.writeSync(file, bytes, written);
}

/** A hard link fails when the name is taken, so two writers cannot both win. File systems without links get the name first, then the text. */
export function linkExclusively(temporary: string, place: string, text: string, file: WholeFile): void {
  try {
    fs.linkSync(temporary, place);
    return;
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(errorCode(error) ?? '')) throw error;
  }
  writeWhole(place, text, file);
}

/** Makes the new name itself survive a power cut, where the system can. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = fs.openSync(folder === '' ? sep : folder, 'r');
  try {
    fs.fsyncSync(handle);
  } catch (error) {
    // Some file systems have no fsync for folders; the file itself is safe by now.
    if (!folderRefusals.has(errorCode(error) ?? '')) throw error;
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * Makes files, their names and those of their folders survive a power cut, beside the event loop.
 *
 * @param files absolute paths, in folders that are no links
 * @throws the system's error
 */
export async function syncFiles(files: readonly string[]): Promise<void> {
  for (const file of files) await syncBeside(file);
  if (process.platform === 'win32') return;
  const folders = files.map((file) => dirname(file));
  for (const folder of new Set([...folders, ...folders.map((folder) => dirname(folder))])) await syncFolderBeside(folder);
}

function syncBeside(place: string): Promise<void> {
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

async function syncFolderBeside(folder: string): Promise<void> {
  try {
    await syncBeside(folder);
  } catch (error) {
    // Some file systems have no fsync for folders; the files themselves are safe by now.
    if (!folderRefusals.has(errorCode(error) ?? '')) throw error;
  }
}

/** What is said of folders that cannot be synced. */
const folderRefusals: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EBADF', 'EPERM', 'EACCES']);

/** Makes a folder and those above it. Node's own `recursive` never returns below `/proc`, where a folder may be refused as missing. */
export function makeFolders(folder: string): void {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolders(parent);
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !fs.statSync(folder).isDirectory()) throw error;
  }
}
