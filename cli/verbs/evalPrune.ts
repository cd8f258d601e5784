import { InvalidArgumentError } from 'commander';
import { listEvalIds } from '../../core/eval/runner/evalStore.js';
import { createEvalHousekeeping, type EvalSummary } from '../../core/node/evalHousekeeping.js';
import { createNodeRandom } from '../../core/node/nodePorts.js';
import { plural } from '../../core/plural.js';
import { FileProblem } from '../../core/ports.js';
import { toSafeJson } from '../../core/visibleText.js';
import type { GlobalOptions, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { locateProject } from '../project.js';
import { toAge } from '../toAge.js';
import { UsageError } from '../usageError.js';

interface PruneOptions extends GlobalOptions {
  /** Milliseconds. */
  readonly olderThan?: number;
  readonly keep?: number;
  readonly unfinished?: true;
  readonly dryRun?: true;
}

export const evalPrune: VerbSetup = (command, cli) => {
  command
    .summary('delete old evals')
    .description(
      'Delete evals that have ended and are old. One that a process has is left alone. Baselines and recordings are not touched.',
    )
    .option('--older-than <age>', 'evals last written to before this age: 12h, 30d, 8w', toAge)
    .option('--keep <n>', 'keep the newest n evals, regardless of age', toCount)
    .option('--unfinished', 'also evals that could still be resumed')
    .option('--dry-run', 'list what would be deleted, and delete nothing')
    .addHelpText('after', () => example(cli, ['eval prune --older-than 30d --dry-run', 'eval prune --keep 20']))
    .addHelpText('after', '\nExit codes: 0 done, 2 the command cannot be used.')
    .action(async () => {
      const options = command.optsWithGlobals<PruneOptions>();
      if (options.json) cli.expectJson();
      const { olderThan, keep = 0, dryRun = false } = options;
      if (olderThan === undefined && options.keep === undefined) throw new UsageError('Say which: --older-than 30d, --keep 20, or both.');
      const { root, files } = locateProject(cli, options);
      const housekeeping = createEvalHousekeeping(root, { files, random: createNodeRandom() });
      const latest = olderThan === undefined ? Number.POSITIVE_INFINITY : Date.now() - olderThan;
      const deleted: string[] = [];
      const kept: { readonly eval_id: string; readonly why: string }[] = [];
      for (const eval_id of (await listEvalIds(files)).slice(keep)) {
        try {
          const one = await housekeeping.summarize(eval_id);
          if (one.last_written >= latest) continue;
          const why = whyKept(one, options) ?? (dryRun ? undefined : housekeeping.remove(eval_id));
          if (why === undefined) deleted.push(eval_id);
          else kept.push({ eval_id, why });
        } catch (error) {
          // Another process was quicker, and it is gone.
          if (!(error instanceof FileProblem && error.reason === 'not-found')) throw error;
        }
      }
      const { terminal } = cli;
      if (options.json) {
        terminal.print(toSafeJson({ deleted, kept, dry_run: dryRun }));
        return;
      }
      for (const eval_id of deleted) terminal.print(eval_id);
      for (const { eval_id, why } of kept) terminal.note(`${eval_id} is kept: it ${why}.`);
      terminal.note(`${dryRun ? 'Would delete' : 'Deleted'} ${plural(deleted.length, 'eval')}.`);
    });
};

/** Undefined for one that goes. */
function whyKept({ state, held_by }: EvalSummary, { unfinished }: PruneOptions): string | undefined {
  if (state === 'running') return `is running (${held_by})`;
  return state === 'open' && !unfinished ? 'can still be resumed (--unfinished takes it too)' : undefined;
}

function toCount(value: string): number {
  if (!/^(0|[1-9]\d{0,5})$/.test(value)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(value);
}
