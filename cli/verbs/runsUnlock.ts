import { createNodeRandom } from '../../core/node/nodePorts.js';
import { createRunHousekeeping } from '../../core/node/runHousekeeping.js';
import { createRunLocks } from '../../core/node/runLocks.js';
import { plural } from '../../core/plural.js';
import { toSafeJson } from '../../core/visibleText.js';
import type { GlobalOptions, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { findRun } from '../findRun.js';
import { locateProject } from '../project.js';
import { UsageError } from '../usageError.js';

interface UnlockOptions extends GlobalOptions {
  readonly force?: true;
}

export const runsUnlock: VerbSetup = (command, cli) => {
  command
    .summary('unlock a run that a process of another machine holds')
    .description(
      'Free a run from a process of another machine or container that is gone, which cannot be seen from here. Says which process that is and when the run was last written to; does it with --force.',
    )
    .argument('<id>', 'id of the run, its beginning, or "last"')
    .option(
      '--force',
      'free the run; only if that process has ended for certain, since two processes would do everything twice and damage its files',
    )
    .addHelpText('after', () => example(cli, ['runs unlock last', 'runs unlock 0193f1c2 --force']))
    .addHelpText('after', '\nExit codes: 0 the run is free, 2 it is unchanged.')
    .action(async (written: string) => {
      const options = command.optsWithGlobals<UnlockOptions>();
      if (options.json) cli.expectJson();
      const { root, files } = locateProject(cli, options);
      const run_id = await findRun(files, written);
      const locks = createRunLocks(root);
      const held = locks.look(run_id);
      const { terminal } = cli;
      if (held?.is_seen)
        throw new UsageError(`The run ${run_id} is still running (${held.held_by}). Wait for its end, or end that process.`);
      if (held !== undefined) {
        const { lastWritten } = createRunHousekeeping(root, { files, random: createNodeRandom() });
        const what = `The run ${run_id} belongs to ${held.held_by}. It was last written to ${ageOf(Date.now() - lastWritten(run_id))} ago.`;
        if (options.force !== true)
          throw new UsageError(
            `${what} If that process is surely gone, add --force. If it is not, both work on the run: calls are made twice and its files break.`,
          );
        locks.unlock(run_id);
        terminal.note(terminal.err.yellow(`${what} It is free now.`));
      } else terminal.note(`The run ${run_id} is free: no process has it.`);
      if (options.json) terminal.print(toSafeJson({ run_id, was_held_by: held?.held_by ?? null }));
    });
};

/** As people say it. A clock that went back makes it no less than nothing. */
function ageOf(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return plural(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
}
