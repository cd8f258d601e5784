import { example, exitCodes, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { findRun } from '../findRun.js';
import { openKeptRuns, type PruneReport, reportDeletedRuns } from '../kept.js';
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
      const options = readOptions<DeleteOptions>(cli, command);
      const project = locateProject(cli, options);
      // All are looked up before the first is gone.
      const ids = new Set<string>();
      for (const id of written) ids.add(await findRun(project.files, id));
      const store = openKeptRuns(project);
      store.tidy();
      const deleted: string[] = [];
      const kept: PruneReport['kept'][number][] = [];
      for (const id of ids) {
        const obstacle = await store.delete(id, options.force ? 'unseen' : undefined);
        if (obstacle === undefined) deleted.push(id);
        else kept.push({ id, why: obstacle.kind === 'unseen' ? `${obstacle.words}: add --force when it surely does not` : obstacle.words });
      }
      reportDeletedRuns(cli, { deleted, kept, isDryRun: false, json: options.json === true }, await store.deleteJournals());
      cli.exit(kept.length === 0 ? exitCodes.ok : exitCodes.failed);
    });
};
