import { createNodeRandom } from '../../core/node/nodePorts.js';
import { createRunHousekeeping } from '../../core/node/runHousekeeping.js';
import { plural } from '../../core/plural.js';
import { readRunSummary } from '../../core/run/readRuns.js';
import { toSafeJson } from '../../core/visibleText.js';
import type { Cli, GlobalOptions, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { exitCodes } from '../exitCodes.js';
import { findRun } from '../findRun.js';
import { locateProject } from '../project.js';

interface DeleteOptions extends GlobalOptions {
  readonly force?: true;
}

export const runsDelete: VerbSetup = (command, cli) => {
  command
    .summary('delete runs with all their files')
    .description(
      'Delete runs, with all that was kept of them, and the journals that no run needs any more. A run that some process has is left alone.',
    )
    .argument('<id...>', 'ids of runs, their beginnings, or "last"')
    .option('--force', 'also delete runs without a result, which may still be running')
    .addHelpText('after', () => example(cli, ['runs delete last', 'runs delete 0193f1c2 --force']))
    .addHelpText('after', '\nExit codes: 0 all are deleted, 1 some were kept, 2 there is no such run.')
    .action(async (written: readonly string[]) => {
      const options = command.optsWithGlobals<DeleteOptions>();
      if (options.json) cli.expectJson();
      const { root, files } = locateProject(cli, options);
      // All are looked up before the first is gone.
      const ids = new Set<string>();
      for (const one of written) ids.add(await findRun(files, one));
      const housekeeping = createRunHousekeeping(root, { files, random: createNodeRandom() });
      housekeeping.tidy();
      const deleted: string[] = [];
      const kept: { readonly run_id: string; readonly why: string }[] = [];
      for (const run_id of ids) {
        const obstacle = housekeeping.remove(await readRunSummary(files, run_id), { open: options.force === true });
        if (obstacle === undefined) deleted.push(run_id);
        else
          kept.push({ run_id, why: obstacle.kind === 'open' ? `${obstacle.words}: add --force when it surely does not` : obstacle.words });
      }
      const journals = await housekeeping.removeJournals();
      tellDeleted(cli, options.json === true, { deleted, kept, journals, isDryRun: false });
      cli.exit(kept.length === 0 ? exitCodes.ok : exitCodes.failed);
    });
};

export interface Deletion {
  readonly deleted: readonly string[];
  readonly kept: readonly { readonly run_id: string; readonly why: string }[];
  readonly journals: { readonly deleted: readonly string[]; readonly problem: string | null };
  readonly isDryRun: boolean;
}

/** What became of runs and journals. */
export function tellDeleted({ terminal }: Cli, json: boolean, { deleted, kept, journals, isDryRun }: Deletion): void {
  if (journals.problem !== null)
    terminal.note(terminal.err.yellow(`Journals were left alone, since a run may need any of them. ${journals.problem}`));
  if (json) {
    terminal.print(toSafeJson({ deleted, kept, journals: journals.deleted, dry_run: isDryRun }));
    return;
  }
  for (const run_id of deleted) terminal.print(run_id);
  for (const { run_id, why } of kept) terminal.note(terminal.err.yellow(`${run_id} ${why}.`));
  const verb = isDryRun ? 'would be deleted' : 'deleted';
  terminal.note(
    `${plural(deleted.length, 'run')} ${verb}${journals.deleted.length > 0 ? `, and ${plural(journals.deleted.length, 'journal')}` : ''}`,
  );
}
