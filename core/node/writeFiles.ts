import * as fs from 'node:fs';
import { dirname, sep } from 'node:path';
import { errorCode } from './fileErrors.js';

interface WholeFile {
  /** Exact permissions; undefined for the process's default. */
  readonly mode: number | undefined;
  readonly durable: boolean;
}

/** Writes a new file. @throws the system's error, `EEXIST` if it exists */
function writeWhole(place: string, text: string, whole: WholeFile): void {
  fill(openNew(place), text, whole);
}

/** @throws like `writeWhole` */
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

/** Appends to an open file; a nearly full disk may accept only a part at a time. */
export function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += fs.writeSync(file, bytes, written);
}

/** A hard link fails if the name is taken, so two writers cannot both win. On file systems without links, the name comes first, then the text. */
export function linkExclusively(temporary: string, place: string, text: string, file: WholeFile): void {
  try {
    fs.linkSync(temporary, place);
    return;
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(errorCode(error) ?? '')) throw error;
  }
  writeWhole(place, text, file);
}

/** Makes the new name itself survive a power cut, if the system can. */
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
 * Makes files, their names and those of their folders survive a power cut, without blocking the event loop.
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

/** The errors for folders that cannot be synced. */
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
