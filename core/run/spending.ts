import type { FileSystem } from '../ports.js';
import { listRunIds, readRunSummary } from './readRuns.js';
import { type RunSummary, timeOfId } from './runSummary.js';

/** What kept runs have cost together. */
export interface Spending {
  /** USD. */
  readonly cost: number;
  /** False when the cost of a run is unknown or a run has not ended: `cost` is then a lower bound. */
  readonly isWhole: boolean;
  readonly runs: number;
}

/** Adds up what runs have cost. Simulated runs cost nothing. */
export function sumSpending(
  runs: readonly Pick<RunSummary, 'cost' | 'simulated' | 'state' | 'tokens_incomplete' | 'total_tokens'>[],
): Spending {
  let cost = 0;
  let isWhole = true;
  for (const run of runs) {
    cost += run.cost ?? 0;
    // A run that was refused before its first call has used nothing.
    const isKnown =
      run.simulated ||
      (run.cost !== null && !run.tokens_incomplete) ||
      (run.total_tokens === 0 && !run.tokens_incomplete && run.state !== 'open');
    if (!isKnown) isWhole = false;
  }
  return { cost, isWhole, runs: runs.length };
}

/**
 * What the kept runs of a project have cost since a time. Runs that were deleted are not known any more.
 *
 * @param since milliseconds since 1970
 * @param ended runs that were read earlier, by id; those that have ended since are added, and none of them is read again
 * @throws FileProblem
 */
export async function readSpending(
  files: Pick<FileSystem, 'list' | 'readText'>,
  since: number,
  ended: Map<string, RunSummary> = new Map(),
): Promise<Spending> {
  const runs: RunSummary[] = [];
  for (const id of await listRunIds(files)) {
    const time = timeOfId(id);
    // Ids sort by time: all others are older.
    if (time !== null && time < since) break;
    const run = ended.get(id) ?? (await readRunSummary(files, id));
    if (run.state !== 'open' && run.state !== 'broken') ended.set(id, run);
    if ((run.started ?? 0) >= since) runs.push(run);
  }
  return sumSpending(runs);
}
