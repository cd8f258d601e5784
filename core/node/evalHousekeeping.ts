import * as fs from 'node:fs';
import { join } from 'node:path';
import type { CaseReport, EvalReport } from '../eval/report/evalReport.js';
import { readKeptReport } from '../eval/report/keptReport.js';
import { evalsFolder } from '../eval/runner/evalStore.js';
import type { FileSystem, Ports } from '../ports.js';
import { home } from '../run/home.js';
import { toFileProblem } from './fileErrors.js';
import { makeKeptFolder } from './keptFolder.js';
import { createRunLocks } from './runLocks.js';

/** A kept eval, as a list shows it. */
export interface EvalSummary {
  readonly eval_id: string;
  /** `running`: a process has it. `open`: it did not come to its end, so it can be resumed. `ended`: all its runs were made. */
  readonly state: 'running' | 'open' | 'ended';
  /** Which process has it, where one has. */
  readonly held_by: string | null;
  readonly report: EvalReport | null;
  /** Milliseconds since 1970. */
  readonly last_written: number;
}

interface Housekeeping {
  /** @throws FileProblem */
  summarize(eval_id: string): Promise<EvalSummary>;
  /** Deletes all of an eval. It is out of sight in one step. @returns why it was kept; undefined where it is gone @throws FileProblem */
  remove(eval_id: string): string | undefined;
}

/** Looks after `.agentstack/evals` of the project in `root`, an absolute path. */
export function createEvalHousekeeping(
  root: string,
  { files, random }: { readonly files: FileSystem; readonly random: Pick<Ports['random'], 'id'> },
): Housekeeping {
  const locks = createRunLocks(root, evalsFolder);
  return {
    async summarize(eval_id) {
      const held = locks.look(eval_id);
      const report = (await readKeptReport(files, eval_id)) ?? null;
      const isWhole = report?.suites.every(({ cases }) => cases.every(isRun));
      const state = held !== undefined ? 'running' : isWhole ? 'ended' : 'open';
      return { eval_id, state, held_by: held?.held_by ?? null, report, last_written: lastWritten(root, eval_id) };
    },
    remove(eval_id) {
      const lock = locks.acquire(eval_id);
      if ('held_by' in lock) return `is running (${lock.held_by})`;
      try {
        const out = makeKeptFolder(root, `${home}/deleted`);
        const moved = join(out, `${eval_id}-${random.id()}`);
        fs.renameSync(folderOf(root, eval_id), moved);
        fs.rmSync(moved, { recursive: true, force: true });
        return undefined;
      } catch (error) {
        lock.release();
        throw toFileProblem(error, `${evalsFolder}/${eval_id}`, 'written');
      }
    },
  };
}

/** False where the eval was cancelled before all runs of the case were made. */
function isRun({ state, runs, repeats }: CaseReport): boolean {
  return state === 'carried' || runs.length === repeats;
}

function lastWritten(root: string, eval_id: string): number {
  try {
    const place = folderOf(root, eval_id);
    return Math.max(...['.', ...fs.readdirSync(place)].map((name) => fs.lstatSync(join(place, name)).mtimeMs));
  } catch (error) {
    throw toFileProblem(error, `${evalsFolder}/${eval_id}`, 'read');
  }
}

/** A folder among the evals, and no link to another. */
function folderOf(root: string, eval_id: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(eval_id)) throw new Error(`${JSON.stringify(eval_id)} cannot name the folder of an eval`);
  const place = join(makeKeptFolder(root, evalsFolder), eval_id);
  if (!fs.lstatSync(place).isDirectory()) throw Object.assign(new Error('It is not a folder.'), { code: 'ENOTDIR' });
  return place;
}
