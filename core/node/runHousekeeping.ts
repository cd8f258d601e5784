import * as fs from 'node:fs';
import { join } from 'node:path';
import { parseObject } from '../json.js';
import { FileProblem, type FileSystem, type Ports } from '../ports.js';
import { home } from '../run/home.js';
import { journalPath, journalsFolder } from '../run/journal/journal.js';
import { isJournalId } from '../run/openRun.js';
import { listRunIds, readObject, runsFolder } from '../run/readRuns.js';
import type { RunSummary } from '../run/runSummary.js';
import { objectAt, ownAt } from '../run/untrusted.js';
import { errorCode, toFileProblem } from './fileErrors.js';
import { holderOf, lookAt, thisProcess } from './holders.js';
import { makeKeptFolder } from './keptFolder.js';
import { createRunLocks } from './runLocks.js';
import { tidyTemporaries } from './temporaryFiles.js';

/** What stands in the way of deleting a run. */
export interface Obstacle {
  readonly run_id: string;
  /** `held`: a process has it. `open`: it has no end and no lock, so whether it still runs cannot be seen. */
  readonly kind: 'held' | 'open';
  /** What is so, as the rest of a sentence that begins with the run. */
  readonly words: string;
}

export interface RunHousekeeping {
  /** Removes what processes left that ended while they deleted runs or wrote files. @throws FileProblem */
  tidy(): void;
  /** Undefined where the run can be deleted. @throws FileProblem */
  obstacle(run: RunSummary): Obstacle | undefined;
  /**
   * Deletes a run's folder and all in it. It is out of sight in one step, so that a process that ends in the middle leaves no half of it.
   *
   * @returns what stood in its way; undefined: it is gone
   * @throws FileProblem
   */
  remove(run: RunSummary, options?: { readonly open?: boolean }): Obstacle | undefined;
  /** Deletes the journals that no run names any more and whose process is gone; their ids. @throws FileProblem */
  removeJournals(): Promise<JournalSweep>;
  /** When anything of a run was last written, in milliseconds since 1970. @throws FileProblem */
  lastWritten(run_id: string): number;
}

export interface JournalSweep {
  readonly deleted: readonly string[];
  /** Why none was looked at: a run that cannot be read may need any of them. */
  readonly problem: string | null;
}

/** Where runs are on their way out. */
const trash = `${home}/deleted`;
/** A link to nowhere in its place is missing for ever. */
const mostTries = 100;

/** Clears away runs of the project in `root`, an absolute path. */
export function createRunHousekeeping(
  root: string,
  { files, random }: { readonly files: FileSystem; readonly random: Pick<Ports['random'], 'id'> },
): RunHousekeeping {
  const locks = createRunLocks(root);

  function obstacle(run: RunSummary): Obstacle | undefined {
    const { run_id, state, can_resume } = run;
    const held = locks.look(run_id);
    if (held) {
      const words = held.is_seen
        ? `is still running (${held.held_by})`
        : `belongs to ${held.held_by}, which cannot be seen from here; if that is surely gone, free it with \`npx agent-stack runs unlock ${run_id}\``;
      return { run_id, kind: 'held', words };
    }
    if (can_resume || (state !== 'open' && state !== 'broken')) return undefined;
    return { run_id, kind: 'open', words: 'has no end, and whether it still runs cannot be seen' };
  }

  /** @returns the folder of all that are on their way out */
  function moveOut(place: string, name: string): string {
    for (let tries = 1; ; tries += 1) {
      try {
        const out = makeKeptFolder(root, trash);
        fs.renameSync(place, join(out, name));
        return out;
      } catch (error) {
        // Another process may clear that folder away just now.
        const isMissing = errorCode(error) === 'ENOENT' || (error instanceof FileProblem && error.reason === 'not-found');
        if (!isMissing || !fs.existsSync(place) || tries === mostTries) throw error;
      }
    }
  }

  return {
    tidy() {
      tidyTemporaries(root, home);
      if (fs.existsSync(join(root, trash))) clear(makeKeptFolder(root, trash));
    },

    obstacle,

    remove(run, { open = false } = {}) {
      const { run_id } = run;
      const place = folderOf(root, run_id);
      const found = obstacle(run);
      if (found && !(open && found.kind === 'open')) return found;
      const lock = locks.acquire(run_id);
      // Another process took it in between.
      if ('held_by' in lock) return { run_id, kind: 'held', words: `is running (${lock.held_by})` };
      try {
        clear(moveOut(place, `${run_id}-${random.id()}`));
      } catch (error) {
        lock.release();
        throw toFileProblem(error, `${runsFolder}/${run_id}`, 'written');
      }
      return undefined;
    },

    async removeJournals() {
      const named = new Set<string>();
      for (const run_id of await listRunIds(files)) {
        const { journals, problem } = await journalsOf(files, run_id);
        if (problem !== null) return { deleted: [], problem: `${runsFolder}/${run_id}/run.json: ${problem}` };
        for (const id of journals) named.add(id);
      }
      const here = thisProcess();
      const deleted: string[] = [];
      for (const { name, kind } of await files.list(journalsFolder)) {
        const id = name.replace(/\.jsonl$/, '');
        if (kind !== 'file' || id === name || !isJournalId(id) || named.has(id)) continue;
        const path = join(makeKeptFolder(root, journalsFolder), name);
        // The process may begin a run in it at any time.
        if (lookAt(writerOf(path), here) !== 'gone') continue;
        try {
          fs.unlinkSync(path);
        } catch (error) {
          throw toFileProblem(error, journalPath(id), 'written');
        }
        deleted.push(id);
      }
      return { deleted, problem: null };
    },

    lastWritten(run_id) {
      const place = folderOf(root, run_id);
      try {
        return Math.max(...['.', ...fs.readdirSync(place)].map((name) => fs.lstatSync(join(place, name)).mtimeMs));
      } catch (error) {
        throw toFileProblem(error, `${runsFolder}/${run_id}`, 'read');
      }
    },
  };
}

/** Deletes all that is on its way out, also what a process left that ended in the middle. */
function clear(out: string): void {
  try {
    fs.rmSync(out, { recursive: true, force: true });
  } catch (error) {
    // Another process clears it away at the same time, or has just moved a run there and will.
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTEMPTY') throw error;
  }
}

/** Where a run is on disk: a folder among the runs, and no link to another. @throws FileProblem */
function folderOf(root: string, run_id: string): string {
  const path = `${runsFolder}/${run_id}`;
  try {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(run_id)) throw new Error(`${JSON.stringify(run_id)} cannot name a run folder`);
    const place = join(makeKeptFolder(root, runsFolder), run_id);
    if (!fs.lstatSync(place).isDirectory()) throw Object.assign(new Error('It is not a folder.'), { code: 'ENOTDIR' });
    return place;
  } catch (error) {
    throw toFileProblem(error, path, 'read');
  }
}

/** Journals that a run needs; none where it never got as far as to write down any. */
async function journalsOf(
  files: FileSystem,
  run_id: string,
): Promise<{ readonly journals: readonly string[]; readonly problem: string | null }> {
  const run = await readObject(files, `${runsFolder}/${run_id}/run.json`);
  if ('problem' in run) return { journals: [], problem: run.problem };
  const journals = 'value' in run ? ownAt(run.value, 'journals') : undefined;
  return { journals: Array.isArray(journals) ? journals.filter((id) => typeof id === 'string') : [], problem: null };
}

/** Longest first line of a journal, in bytes. */
const longestHeader = 4096;

/** The process that a journal says writes it; undefined where it says none. */
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
