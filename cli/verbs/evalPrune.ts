import { toSafeJson } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import type { VerbSetup } from '../cli.js';
import { addPrune, openKeptEvals } from '../kept.js';

export const evalPrune: VerbSetup = (command, cli) => {
  command
    .summary('delete old evals')
    .description(
      'Delete evals that have ended and are old. One that a process has is left alone. Baselines and recordings are not touched.',
    );
  addPrune(command, cli, {
    command: 'eval',
    noun: 'eval',
    keep: 20,
    unfinished: '',
    open: openKeptEvals,
    tell({ deleted, kept, isDryRun, json }) {
      const { terminal } = cli;
      if (json) {
        terminal.print(toSafeJson({ deleted, kept: kept.map(({ id, why }) => ({ eval_id: id, why })), dry_run: isDryRun }));
        return;
      }
      for (const eval_id of deleted) terminal.print(eval_id);
      for (const { id, why } of kept) terminal.note(`${id} is kept: it ${why}.`);
      terminal.note(`${isDryRun ? 'Would delete' : 'Deleted'} ${plural(deleted.length, 'eval')}.`);
    },
  });
};
