import * as fs from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { parseObject } from '../json.js';
import { runsFolder } from '../run/readRuns.js';
import type { HeldLock, RunLock, RunLocks } from '../run/runLocks.js';
import { errorCode, toFileProblem } from './fileErrors.js';
import { type Holder, holderOf, type KnownHolder, lookAt, thisProcess } from './holders.js';
import { makeKeptFolder } from './projectPaths.js';
import { temporaryPlace } from './temporaryFiles.js';

/** Works synchronously: nothing else in this process happens between the request and the lock. */
interface FileLocks extends RunLocks {
  acquire(run_id: string): RunLock | HeldLock;
  /** The holder of the run's lock, if there is one. Writes nothing. @throws FileProblem */
  look(run_id: string): HeldLock | undefined;
  /** Removes the lock from its holder and frees the run. A holder that is still running does not notice. @throws FileProblem */
  unlock(run_id: string): void;
}

/**
 * Locks of runs: files `lock-{n}.json` in their folders, where the highest number holds. A process that finds the holder gone adds the next number,
 * which only one of many can, and no process replaces or removes the lock of another; so two never hold one run, whether on one machine or on several
 * that share the disk. A killed process is detected, even if its id has been given to another since. Only whether a process of
 * another machine or container is gone cannot be seen from here: its lock holds until a person removes it (`unlock`).
 *
 * @param keptIn project path of the folder that has a folder for each
 */
export function createRunLocks(root: string, keptIn = runsFolder): FileLocks {
  const own: OwnLocks = { last: undefined };
  let self: Holder | undefined;
  let runs: string | undefined;

  /** Creates the run's folder with a first lock. Undefined if the folder exists already and has to be examined. */
  function makeFreshFolder(run_id: string): string | undefined {
    if (runs === undefined) return undefined;
    const place = join(runs, run_id);
    try {
      fs.mkdirSync(place);
      return place;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return undefined;
    }
  }

  return {
    acquire(run_id) {
      const folder = `${keptIn}/${run_id}`;
      try {
        self ??= thisProcess();
        const fresh = makeFreshFolder(run_id);
        if (fresh !== undefined) {
          const lock = join(fresh, lockName(1));
          if (makeLock(fresh, lock, self, own)) return { release: () => remove(lock) };
        }
        const place = makeKeptFolder(root, folder);
        runs = dirname(place);
        return acquire(place, self, own);
      } catch (error) {
        throw toFileProblem(error, folder, 'written');
      }
    },

    look(run_id) {
      const folder = `${keptIn}/${run_id}`;
      try {
        const last = highestLock(join(root, folder));
        if (last === 0) return undefined;
        self ??= thisProcess();
        const state = lookAt(readHolder(join(root, folder, lockName(last))), self);
        return state === 'gone' ? undefined : state;
      } catch (error) {
        throw toFileProblem(error, folder, 'read');
      }
    },

    unlock(run_id) {
      const folder = `${keptIn}/${run_id}`;
      try {
        self ??= thisProcess();
        const place = makeKeptFolder(root, folder);
        // One more lock that says the run is free: a holder thought gone may still remove its own lock, which must not change anything.
        while (!makeAnew(place, join(place, lockName(highestLock(place) + 1)), { ...self, released: true }));
      } catch (error) {
        throw toFileProblem(error, folder, 'written');
      }
    },
  };
}

/** The locks this process has created so far. */
interface OwnLocks {
  /** The lock it created last; it may be released by now. */
  last: string | undefined;
}

function acquire(place: string, self: Holder, locks: OwnLocks): RunLock | HeldLock {
  for (;;) {
    const last = highestLock(place);
    if (last > 0) {
      const state = lookAt(readHolder(join(place, lockName(last))), self);
      if (state !== 'gone') return state;
    }
    const own = join(place, lockName(last + 1));
    // If the name is taken, another process was quicker, and its lock is examined like any other.
    if (makeLock(place, own, self, locks)) return { release: () => remove(own) };
  }
}

const lockPattern = /^lock-([1-9]\d{0,8})\.json$/;

function lockName(number: number): string {
  return `lock-${number}.json`;
}

/** 0 if there is no lock. */
function highestLock(place: string): number {
  return Math.max(0, ...fs.readdirSync(place).map((name) => Number(lockPattern.exec(name)?.[1] ?? 0)));
}

/** False if the name is taken. The name appears together with the content, so that no process reads half a lock. */
function makeLock(place: string, own: string, self: Holder, locks: OwnLocks): boolean {
  const isMade = linkLast(own, locks) ?? makeAnew(place, own, self);
  if (isMade) locks.last = own;
  return isMade;
}

/** All locks of a process have the same content, so another name for one of them is a lock too. Undefined if there is none to link. */
function linkLast(own: string, { last }: OwnLocks): boolean | undefined {
  if (last === undefined) return undefined;
  try {
    fs.linkSync(last, own);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    // Released, or linked as often as the file system allows, or the disk is full: creating a new one will show.
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

function makeAnew(place: string, own: string, self: Holder & { readonly released?: true }): boolean {
  const temporary = temporaryPlace(join(place, 'lock'));
  try {
    // Not synced: after a power cut the lock counts as gone when the machine restarts, whole or empty.
    fs.writeFileSync(temporary, `${JSON.stringify(self)}\n`);
    fs.linkSync(temporary, own);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    if (!withoutLinks.has(errorCode(error) ?? '')) throw error;
    return makeWithoutLink(own, self);
  } finally {
    remove(temporary);
  }
}

function remove(place: string): void {
  try {
    fs.unlinkSync(place);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/** The errors of file systems without hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function makeWithoutLink(own: string, self: Holder): boolean {
  try {
    fs.writeFileSync(own, `${JSON.stringify(self)}\n`, { flag: 'wx', flush: true });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined if the file does not say. @throws the system's error */
function readHolder(path: string): KnownHolder {
  let text: string;
  try {
    text = fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'released';
    throw error;
  }
  if (text === '' && isOlderThanStart(path)) return 'left by a power cut';
  const value = parseObject(text) ?? {};
  return value.released === true ? 'released' : holderOf(value);
}

/** Whether a file was last written before this machine was started, with a minute to spare for its clock. */
function isOlderThanStart(path: string): boolean {
  const stats = fs.statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs < Date.now() - (uptime() + 60) * 1000;
}
