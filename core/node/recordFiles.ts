import * as fs from 'node:fs';
import { InputInvalidError, StorageError } from '../errors.js';
import { FileProblem } from '../ports.js';
import { parseRecording, type RunRecording, type TeamRunRecording } from '../run/readRecording.js';
import type { RecordWriter } from '../run/recording.js';
import type { RecordHeader, TeamRecordHeader } from '../run/recordLines.js';
import { errorCode } from './fileErrors.js';
import { openNamedFile } from './namedFiles.js';

/** Records above this are not read, in bytes: a text cannot be much longer. */
const mostBytes = 256 * 1024 * 1024;
/** How far into a file the first line of a record is looked for: a conversation may come before it. */
const mostStartBytes = 1024 * 1024;

/**
 * The file of a record, new or emptied; folders above it are created.
 *
 * @param root absolute path of the project
 * @param path relative to the working directory
 * @throws StorageError
 */
export function createRecordFile(root: string, path: string): RecordWriter {
  const write = (act: () => void) => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const why = errorCode(error.cause) ?? error.reason;
      throw new StorageError(
        `The record ${path} was not written (${why}): ${error.message} Name another file, or free some space, and run again.`,
        {
          cause: error,
        },
      );
    }
  };
  const file = openNamedFile(root, path);
  write(() => file.write(''));
  return { append: (text) => write(() => file.append(text)) };
}

/** @param path relative to the working directory @throws InputInvalidError when it is not a record, or cannot be read */
export function readRecordFile(path: string): RunRecording | TeamRunRecording {
  const refuse = (why: string) => {
    const message = `The record ${path} ${why}`;
    return new InputInvalidError(message, [{ path: '/replay', keyword: 'record', message }]);
  };
  let text: string;
  try {
    if (fs.statSync(path).size > mostBytes) throw refuse(`is larger than ${mostBytes / 1024 / 1024} MB.`);
    text = fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof InputInvalidError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw refuse(code === 'ENOENT' ? 'does not exist. Write one with --record.' : `cannot be read (${code}).`);
  }
  try {
    return parseRecording(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse(error.message);
    throw error;
  }
}

/** The first line of a record, found near its start, however long it is; undefined for what is not a record, or cannot be read. */
export function readRecordHeader(path: string): RecordHeader | TeamRecordHeader | undefined {
  let file: number | undefined;
  try {
    file = fs.openSync(path, 'r');
    const start = Buffer.alloc(mostStartBytes);
    const length = fs.readSync(file, start, 0, mostStartBytes, 0);
    return parseRecording(start.toString('utf8', 0, length)).header;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}
