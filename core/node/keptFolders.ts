import * as fs from 'node:fs';
import { join } from 'node:path';
import { parseObject } from '../json.js';
import { FileProblem } from '../ports.js';
import type { KeptFolders, KeptJournals } from '../project/adapters.js';
import { home } from '../run/home.js';
import { journalPath, journalsFolder } from '../run/journal/journal.js';
import { objectAt } from '../run/untrusted.js';
import { errorCode, toFileProblem } from './fileErrors.js';
import { holderOf, lookAt, thisProcess } from './holders.js';
import { makeKeptFolder } from './projectPaths.js';
import { createRunLocks } from './runLocks.js';
import { tidyTemporaries } from './temporaryFiles.js';

/** The folder of runs and evals that are being deleted. */
const trash = `${home}/deleted`;
/** A dangling link in its place would count as missing forever. */
const mostTries = 100;

/**
 * @param root absolute path of the project
 * @param keptIn project path of the folder that has a folder for each
 */
export function createKeptFolders(root: string, keptIn: string): KeptFolders {
  const locks = createRunLocks(root, keptIn);

  /** Where the folder of an id is on disk. */
  function placeOf(id: string): string {
    const path = `${keptIn}/${id}`;
    try {
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id)) throw new Error(`${JSON.stringify(id)} cannot name a folder of ${keptIn}`);
      const place = join(makeKeptFolder(root, keptIn), id);
      if (!fs.lstatSync(place).isDirectory()) throw Object.assign(new Error('It is not a folder.'), { code: 'ENOTDIR' });
      return place;
    } catch (error) {
      throw toFileProblem(error, path, 'read');
    }
  }

  return {
    holderOf: (id) => locks.look(id),

    lastWritten(id) {
      const place = placeOf(id);
      try {
        return Math.max(...['.', ...fs.readdirSync(place)].map((name) => fs.lstatSync(join(place, name)).mtimeMs));
      } catch (error) {
        throw toFileProblem(error, `${keptIn}/${id}`, 'read');
      }
    },

    delete(id) {
      const place = placeOf(id);
      const lock = locks.acquire(id);
      if ('held_by' in lock) return lock;
      try {
        clear(moveOut(root, place, `${id}-${globalThis.crypto.randomUUID()}`));
      } catch (error) {
        lock.release();
        throw toFileProblem(error, `${keptIn}/${id}`, 'written');
      }
      return undefined;
    },

    tidy() {
      tidyTemporaries(root, home);
      if (fs.existsSync(join(root, trash))) clear(makeKeptFolder(root, trash));
    },
  };
}

/** @returns the folder of everything that is being deleted */
function moveOut(root: string, place: string, name: string): string {
  for (let tries = 1; ; tries += 1) {
    try {
      const out = makeKeptFolder(root, trash);
      fs.renameSync(place, join(out, name));
      return out;
    } catch (error) {
      // Another process may be removing that folder just now.
      const isMissing = errorCode(error) === 'ENOENT' || (error instanceof FileProblem && error.reason === 'not-found');
      if (!isMissing || !fs.existsSync(place) || tries === mostTries) throw error;
    }
  }
}

/** Deletes everything that was moved out, including leftovers of a process that ended midway. */
function clear(out: string): void {
  try {
    fs.rmSync(out, { recursive: true, force: true });
  } catch (error) {
    // Another process is removing it at the same time, or has just moved something there and will remove it.
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTEMPTY') throw error;
  }
}

/** The journals of the project in `root`, an absolute path. */
export function createKeptJournals(root: string): KeptJournals {
  const here = thisProcess();
  const placeOf = (id: string) => join(makeKeptFolder(root, journalsFolder), `${id}.jsonl`);
  return {
    isAbandoned: (id) => lookAt(writerOf(placeOf(id)), here) === 'gone',
    delete(id) {
      try {
        fs.unlinkSync(placeOf(id));
      } catch (error) {
        throw toFileProblem(error, journalPath(id), 'written');
      }
    },
  };
}

/** Longest first line of a journal, in bytes. */
const longestHeader = 4096;

/** The process that writes a journal, as recorded in it; undefined if it names none. */
function writerOf(path: string): ReturnType<typeof holderOf> {
  try {
    const file = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
    try {
      const buffer = Buffer.alloc(longestHeader);
      const text = buffer.toString('utf8', 0, fs.readSync(file, buffer, 0, longestHeader, 0));
      return holderOf(objectAt(parseObject(text.split('\n', 1)[0] ?? '') ?? {}, 'process'));
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}
