import type { RunSummary } from '../../../core/run/runSummary.js';
import type { RunGrouping } from '../../panels/run/types.js';

/** What the groups need to know about a run. */
export type GroupedRun = Pick<RunSummary, 'started' | 'name'>;

export interface RunGroup<Run> {
  /** Stays the same while the view is refreshed. */
  readonly key: string;
  readonly label: string;
  readonly runs: readonly Run[];
}

export interface GroupWords {
  readonly today: string;
  readonly yesterday: string;
  /** For runs with an unknown time or agent. */
  readonly unknown: string;
  /** BCP 47, for dates. */
  readonly language: string;
}

/** Runs in groups, in the order given: a group is where its first run is. Days are those of the machine's time zone. */
export function groupRuns<Run extends GroupedRun>(
  runs: readonly Run[],
  grouping: RunGrouping,
  now: number,
  words: GroupWords,
): readonly RunGroup<Run>[] {
  const groups = new Map<string, { label: string; runs: Run[] }>();
  for (const run of runs) {
    const { key, label } = grouping === 'agent' ? byAgent(run, words) : byDay(run, now, words);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { label, runs: [run] });
    else group.runs.push(run);
  }
  return [...groups].map(([key, group]) => ({ key, ...group }));
}

function byAgent({ name }: GroupedRun, { unknown }: GroupWords) {
  return { key: `agent:${name ?? ''}`, label: name ?? unknown };
}

function byDay({ started }: GroupedRun, now: number, words: GroupWords) {
  if (started === null) return { key: 'day:', label: words.unknown };
  const date = new Date(started);
  const key = `day:${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
  const days = daysBetween(date, new Date(now));
  if (days === 0) return { key, label: words.today };
  if (days === 1) return { key, label: words.yesterday };
  return { key, label: date.toLocaleDateString(words.language, { weekday: 'short', year: 'numeric', month: 'long', day: 'numeric' }) };
}

/** In calendar days: noon to noon, so that a day with a changed clock counts as one. */
function daysBetween(from: Date, to: Date): number {
  const noon = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12).getTime();
  return Math.round((noon(to) - noon(from)) / 86_400_000);
}
