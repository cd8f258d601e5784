import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunVerification, verifyRun } from '../../core/run/verifyRun.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { example, exitCodes, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { findRun } from '../findRun.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';
import { diffPage } from '../reports/diffPage.js';
import type { Styles } from '../terminal/styles.js';

export const runsVerify: VerbSetup = (command, cli) => {
  command
    .summary("check that the frozen config of a run is unchanged, and compare it with today's files")
    .description(
      'Check that the frozen config of a run is unchanged (hash, name, read-only), make the same from the files of today, and say what differs and which file caused it.',
    )
    .argument('<id>', 'id of the run, its beginning, or "last"')
    .addHelpText('after', () => example(cli, ['runs verify last']))
    .addHelpText('after', '\nExit codes: 0 unchanged and the same today, 1 it was changed or differs, 2 there is nothing to verify.')
    .action(async (id: string) => {
      const options = readOptions<GlobalOptions>(cli, command);
      const { root, files } = locateProject(cli, options);
      const run_id = await findRun(files, id);
      const { ports, index: project } = openCliProject(cli, root, {});
      const verified = await verifyRun({ ports, project, run_id, isWritable: (path) => isWritable(join(root, path)) });
      if (verified === undefined)
        throw new UsageError(`The run ${run_id} has no frozen config: it was refused before it began, or run.json is gone.`);
      const isSame = verified.faults.length === 0 && verified.hash_now === verified.snapshot_hash;
      const { terminal } = cli;
      if (options.json) terminal.print(toSafeJson({ same: isSame, ...verified }));
      else terminal.print(verificationPage(verified, terminal.out, terminal.columns));
      cli.exit(isSame ? exitCodes.ok : exitCodes.failed);
    });
};

function verificationPage(verified: RunVerification, styles: Styles, columns: number): string {
  const { name, version, environment, snapshot_hash, snapshot_path, faults, hash_now, error_now, differences } = verified;
  const { bold, dim, green, red, yellow } = styles;
  const title = `${name ?? '?'}${version === null ? '' : `@${version}`}, environment ${environment ?? '?'}`;
  const lines = [bold(visibleText(title)), dim(snapshot_path), ''];
  if (faults.length === 0) lines.push(green('The frozen config is as it was written: its hash, its name, read-only.'));
  else for (const fault of faults) lines.push(red(visibleText(fault)));
  if (error_now !== null) lines.push(yellow(`The files of today make none: ${visibleText(error_now.message)}`));
  else if (hash_now === snapshot_hash) lines.push(green('The files of today make the same.'));
  else lines.push(yellow(`The files of today make another: ${hash_now}`));
  if (differences.length > 0) lines.push('', diffPage(differences, styles, columns));
  return lines.join('\n');
}

/** Whether the permissions of a file allow writing for any user. They are read, not tried: root may write everywhere. */
async function isWritable(path: string): Promise<boolean> {
  try {
    return ((await stat(path)).mode & 0o222) !== 0;
  } catch {
    // A missing file is reported elsewhere.
    return false;
  }
}
