import * as fs from 'node:fs';
import { fileProblem } from './fileErrors.js';

/** Files above this are not read: 10 MB, in bytes. */
export const maxFileBytes = 10 * 1024 * 1024;

const openFiles = '/proc/self/fd';
const hasProc = process.platform === 'linux' && fs.existsSync(openFiles);

/**
 * Where an open file really is, without links. Undefined if that cannot be determined, since another file has replaced it meanwhile.
 *
 * @param place where it was opened
 */
export function placeOfOpened(file: number, place: string): string | undefined {
  // The system knows. For a file that was removed or replaced it says so after the path.
  if (hasProc) return fs.readlinkSync(`${openFiles}/${file}`).replace(/ \(deleted\)$/, '');
  try {
    const real = fs.realpathSync.native(place);
    const [opened, found] = [fs.fstatSync(file), fs.lstatSync(real)];
    return found.dev === opened.dev && found.ino === opened.ino ? real : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** @throws FileProblem if it is not a file, or is too large */
export function checkReadable(path: string, stats: fs.Stats): void {
  if (stats.isDirectory()) throw fileProblem('is-directory', path, 'read', 'it is a folder. Rename or remove the folder');
  if (!stats.isFile()) throw fileProblem('io', path, 'read', 'it is a pipe, socket or device, not a file. Remove it');
  if (stats.size > maxFileBytes) throw tooLarge(path, stats.size);
}

/** Holds the bytes of one file until they are decoded. Larger files get a separate buffer. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

function readBytes(file: number, size: number): Buffer {
  if (size === 0 || size > scratch.length) return fs.readFileSync(file);
  let length = 0;
  for (let count = -1; length < size && count !== 0; length += count) count = fs.readSync(file, scratch, length, size - length, null);
  return scratch.subarray(0, length);
}

/** The whole text of an open file. @throws FileProblem if it is too large or not UTF-8 */
export function readOpened(path: string, file: number, size: number): string {
  const bytes = readBytes(file, size);
  if (bytes.length > maxFileBytes) throw tooLarge(path, bytes.length);
  const text = bytes.toString('utf8');
  if (text.includes('\uFFFD')) checkUtf8(path, bytes);
  return text;
}

function tooLarge(path: string, size: number) {
  const megabytes = (size / 1024 / 1024).toFixed(1);
  // A file a few bytes too large would be shown as 10.0 MB too, which explains nothing.
  const actual = megabytes === '10.0' ? `${size} bytes` : `${megabytes} MB`;
  const limit = megabytes === '10.0' ? `10 MB (${maxFileBytes} bytes)` : '10 MB';
  return fileProblem('too-large', path, 'read', `it has ${actual}, and config files may have ${limit}`);
}

/** For bytes whose text holds a replacement character: either they contain one themselves, or they are not UTF-8. */
function checkUtf8(path: string, bytes: Uint8Array): void {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw fileProblem('not-utf8', path, 'read', 'it is not UTF-8. Save it with that encoding', error);
  }
}
