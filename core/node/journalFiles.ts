import * as fs from 'node:fs';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import type { JournalFile, JournalFiles } from '../run/journal/journalFiles.js';
import { toFileProblem } from './fileErrors.js';
import { makeKeptFolder } from './projectPaths.js';
import { syncFolder, writeAll } from './writeFiles.js';

/** Bytes read at a time. */
const pieceBytes = 256 * 1024;

/** Journals of the project in `root` (an absolute path) on disk. A file stays open as long as the process runs. */
export function createJournalFiles(root: string): JournalFiles {
  return {
    create(path, text) {
      try {
        const at = path.lastIndexOf('/');
        const folder = makeKeptFolder(root, path.slice(0, at));
        const file = fs.openSync(join(folder, path.slice(at + 1)), 'ax', 0o600);
        try {
          writeAll(file, text);
          fs.fsyncSync(file);
          syncFolder(folder);
        } catch (error) {
          fs.closeSync(file);
          throw error;
        }
        return createFile(file, path);
      } catch (error) {
        throw toFileProblem(error, path, 'written');
      }
    },

    async *read(path) {
      let file: fs.promises.FileHandle | undefined;
      try {
        file = await fs.promises.open(join(root, path), fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
        const buffer = Buffer.allocUnsafe(pieceBytes);
        for (;;) {
          const { bytesRead } = await file.read(buffer, 0, pieceBytes, null);
          if (bytesRead === 0) return;
          yield buffer.subarray(0, bytesRead);
        }
      } catch (error) {
        throw toFileProblem(error, path, 'read');
      } finally {
        await file?.close();
      }
    },

    checksum: (data) => zlib.crc32(data),
  };
}

function createFile(file: number, path: string): JournalFile {
  return {
    append(text) {
      return new Promise((resolve, reject) => {
        try {
          // Writing reaches the system's memory at once. The sync takes time, and other runs continue meanwhile.
          writeAll(file, text);
        } catch (error) {
          reject(toFileProblem(error, path, 'written'));
          return;
        }
        fs.fdatasync(file, (error) => (error ? reject(toFileProblem(error, path, 'written')) : resolve()));
      });
    },
  };
}
