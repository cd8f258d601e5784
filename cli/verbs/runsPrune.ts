import { InvalidArgumentError } from 'commander';
import { createNodeRandom } from '../../core/node/nodePorts.js';
import { createRunHousekeeping, type RunHousekeeping } from '../../core/node/runHousekeeping.js';
import { FileProblem } from '../../core/ports.js';
import { listRunIds, readRunSummary } from '../../core/run/readRuns.js';
import { isEnded, type RunSummary } from '../../core/run/runSummary.js';
import type { GlobalOptions, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { locateProject } from '../project.js';
import { toAge } from '../toAge.js';
import { UsageError } from '../usageError.js';
import { type Deletion, tellDeleted } from './runsDelete.js';

interface PruneOptions extends GlobalOptions {
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly keep?: number;
  readonly unfinished?: true;
  readonly dryRun?: true;
}

export const runsPrune: VerbSetup = (command, cli) => {
  command
    .summary('delete old runs')
    .description(
      'Delete runs that have ended and are old, and the journals that no run needs any more. A run that some process has is left alone.',
    )
    .option('--older-than <age>', 'runs last written to before this age: 12h, 30d, 8w', toAge)
    .option('--keep <n>', 'keep the newest n runs, regardless of age', toCount)
    .option('--unfinished', 'also runs that could still be resumed, or were interrupted')
    .option('--dry-run', 'list what would be deleted, and delete nothing')
    .addHelpText('after', () => example(cli, ['runs prune --older-than 30d --dry-run', 'runs prune --keep 100']))
    .addHelpText('after', '\nExit codes: 0 done, 2 the command cannot be used.')
    .action(async () => {
      const options = command.optsWithGlobals<PruneOptions>();
      if (options.json) cli.expectJson();
      const { olderThan, keep = 0, dryRun } = options;
      if (olderThan === undefined && options.keep === undefined) throw new UsageError('Say which: --older-than 30d, --keep 100, or both.');
      const { root, files } = locateProject(cli, options);
      const housekeeping = createRunHousekeeping(root, { files, random: createNodeRandom() });
      if (!dryRun) housekeeping.tidy();
      const latest = olderThan === undefined ? Number.POSITIVE_INFINITY : Date.now() - olderThan;
      const deleted: string[] = [];
      const kept: Deletion['kept'][number][] = [];
      const judge = async (run_id: string): Promise<void> => {
        if (housekeeping.lastWritten(run_id) >= latest) return;
        const run = await readRunSummary(files, run_id);
        const why = whyKept(run, housekeeping, options) ?? (dryRun ? undefined : housekeeping.remove(run, { open: true })?.words);
        if (why === undefined) deleted.push(run_id);
        else kept.push({ run_id, why });
      };
      for (const run_id of (await listRunIds(files)).slice(keep)) {
        try {
          await judge(run_id);
        } catch (error) {
          // Another process was quicker, and it is gone.
          if (!(error instanceof FileProblem && error.reason === 'not-found')) throw error;
        }
      }
      const journals = dryRun ? { deleted: [], problem: null } : await housekeeping.removeJournals();
      tellDeleted(cli, options.json === true, { deleted, kept, journals, isDryRun: dryRun === true });
    });
};

/** Undefined for a run that goes. */
function whyKept(run: RunSummary, housekeeping: RunHousekeeping, { unfinished, olderThan }: PruneOptions): string | undefined {
  const obstacle = housekeeping.obstacle(run);
  if (obstacle?.kind === 'held') return obstacle.words;
  const { state } = run;
  const canGoOn = run.can_resume || run.on_workers;
  if (!canGoOn && isEnded(state)) return undefined;
  if (!unfinished) return canGoOn ? 'can still be resumed (--unfinished takes it too)' : 'has no end (--unfinished takes it too)';
  // Only its silence tells that it does not run any more.
  if (obstacle !== undefined && olderThan === undefined) return `${obstacle.words} (--older-than says how long it must have been silent)`;
  return undefined;
}

function toCount(value: string): number {
  if (!/^(0|[1-9]\d{0,5})$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}
