import * as fs from 'node:fs';
import { sep } from 'node:path';
import { errorCode } from './fileErrors.js';
import { folderRefusals } from './fileSync.js';

interface WholeFile {
  /** Exact permissions; undefined for what the process creates files with. */
  readonly mode: number | undefined;
  readonly durable: boolean;
}

/** A new file. @throws the system's error, `EEXIST` where there is one */
export function writeWhole(place: string, text: string, whole: WholeFile): void {
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
