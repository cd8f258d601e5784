import type { VerbSetup } from '../cli.js';
import { addPrune, openKeptRuns, tellDeletedRuns } from '../kept.js';

export const runsPrune: VerbSetup = (command, cli) => {
  command
    .summary('delete old runs')
    .description(
      'Delete runs that have ended and are old, and the journals that no run needs any more. A run that some process has is left alone.',
    );
  addPrune(command, cli, {
    command: 'runs',
    noun: 'run',
    keep: 100,
    unfinished: ', or were interrupted',
    open: openKeptRuns,
    async tell(report, store) {
      tellDeletedRuns(cli, report, report.isDryRun ? { deleted: [], problem: null } : await store.deleteJournals());
    },
  });
};
