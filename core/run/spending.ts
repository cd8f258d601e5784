import { groupBy } from '../groupBy.js';
import type { FileSystem } from '../ports.js';
import { listRunIds, readRunSummary } from './readRuns.js';
import { type RunSummary, timeOfId } from './runSummary.js';

/** The total cost of kept runs. */
export interface Spending {
  /** USD. */
  readonly cost: number;
  readonly runs: number;
  /** How many ended without a known cost: `cost` is then a lower bound. */
  readonly unpriced: number;
  /** How many are open: their cost is not known yet. */
  readonly open: number;
}

type SpendingFacts = Pick<RunSummary, 'cost' | 'simulated' | 'state' | 'tokens_incomplete' | 'total_tokens'>;

/** Sums the cost of runs. Simulated and replayed runs cost nothing. */
export function sumSpending(runs: readonly SpendingFacts[]): Spending {
  let cost = 0;
  let unpriced = 0;
  let open = 0;
  for (const run of runs) {
    cost += run.cost ?? 0;
    if (run.simulated) continue;
    // A run that was refused before its first call used nothing.
    const isKnown = !run.tokens_incomplete && (run.cost !== null || run.total_tokens === 0);
    if (run.state === 'open') open += 1;
    else if (!isKnown) unpriced += 1;
  }
  return { cost, runs: runs.length, unpriced, open };
}

/** Keys for grouping runs: the agent or orchestration, or the day or month (UTC) of their start. */
export const spendingKeys = {
  agent: ({ name, version }) => (name === null ? null : version === null ? name : `${name}@${version}`),
  day: ({ started }) => (started === null ? null : new Date(started).toISOString().slice(0, 10)),
  month: ({ started }) => (started === null ? null : new Date(started).toISOString().slice(0, 7)),
} as const satisfies Record<string, (run: RunSummary) => string | null>;

/** The cost of runs by key, in the order of first occurrence; null for runs without the key. */
export function spendingBy(runs: readonly RunSummary[], by: keyof typeof spendingKeys): ReadonlyMap<string | null, Spending> {
  const groups = groupBy<RunSummary, string | null>(runs, spendingKeys[by]);
  return new Map([...groups].map(([key, members]) => [key, sumSpending(members)]));
}

/** Whether the cost is a lower bound: that of some run is unknown, or not known yet. */
export function isLeast({ unpriced, open }: Spending): boolean {
  return unpriced + open > 0;
}

/**
 * The cost of a project's kept runs since a time. Deleted runs are not counted.
 *
 * @param since milliseconds since 1970
 * @param ended summaries of runs that have ended, by id: they are not read again, and newly ended ones are added
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
