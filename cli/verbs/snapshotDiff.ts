import { snapshotDiff } from '../../core/snapshot/snapshotDiff.js';
import { toSafeJson } from '../../core/visibleText.js';
import { example, exitCodes, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';
import { diffPage } from '../reports/diffPage.js';
import { findSnapshot } from '../snapshotSource.js';

const sides = 'a run (id, the beginning of it, or "last"), a snapshot file, or NAME[@VERSION][:ENVIRONMENT] as it is now';

export const snapshotDiffVerb: VerbSetup = (command, cli) => {
  command
    .summary('what differs between two snapshots, by the file and layer that caused it')
    .description('Show what differs between two snapshots, by the file and layer that caused it.')
    .argument('<before>', sides)
    .argument('<after>', 'the same')
    .addHelpText('after', () => example(cli, ['snapshot diff A2@v1 A2', 'snapshot diff last issue_intake:prod']))
    .addHelpText('after', '\nExit codes: 0 equal, 1 different, 2 one of them cannot be loaded.')
    .action(async (before: string, after: string) => {
      const options = readOptions<GlobalOptions>(cli, command);
      const { root } = locateProject(cli, options);
      const project = openCliProject(cli, root, {});
      const index = await project.index();
      const earlier = await findSnapshot(project, cli.cwd, before, { index });
      const later = await findSnapshot(project, cli.cwd, after, { index });
      const groups = earlier.hash === later.hash ? [] : snapshotDiff(earlier, later);
      const isSame = earlier.hash === later.hash;
      const { terminal } = cli;
      if (options.json) {
        const side = ({ title, hash }: typeof earlier) => ({ title, hash });
        terminal.print(toSafeJson({ same: isSame, before: side(earlier), after: side(later), groups }));
      } else {
        terminal.note(terminal.err.dim(`- ${earlier.title}  ${earlier.hash}\n+ ${later.title}  ${later.hash}`));
        terminal.print(isSame ? 'The same.' : diffPage(groups, terminal.out, terminal.columns));
      }
      cli.exit(isSame ? exitCodes.ok : exitCodes.failed);
    });
};
