import { withVersion } from '../../core/config/fileText.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { nextVersion } from '../../core/config/nextVersion.js';
import { pathOf } from '../../core/config/paths.js';
import { isLegalName, nameWords } from '../../core/kinds.js';
import { tidyTemporaries } from '../../core/node/temporaryFiles.js';
import { toSafeJson } from '../../core/visibleText.js';
import { unknownAgent } from '../agentInput.js';
import { type Cli, example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { parseAgent } from '../parseAgent.js';
import { locateProject } from '../project.js';

interface NewVersionOptions extends GlobalOptions {
  readonly to?: string;
}

export const newVersion: VerbSetup = (command, cli) => {
  command
    .argument('<agent>', 'NAME, or NAME@VERSION to copy that one')
    .option('--to <version>', 'name of the new version (default: the next number)')
    .addHelpText('after', () => example(cli, ['new version A2', 'new version A2@v1 --to v1-short']))
    .addHelpText('after', '\nAn existing file is never overwritten.')
    .action(async (spec: string) => {
      const options = readOptions<NewVersionOptions>(cli, command);
      await create(cli, spec, options);
    });
};

async function create(cli: Cli, spec: string, options: NewVersionOptions): Promise<void> {
  const project = locateProject(cli, options);
  const index = await loadProjectIndex(project.files);
  const [name, from] = parseAgent(spec, index);
  const versions = index.versions(name);
  if (!versions.includes(from)) throw unknownAgent(index, name, from);
  const to = options.to ?? nextVersion(from, versions);
  if (to === undefined) throw new UsageError(`What comes after ${from} is not obvious; name it with --to VERSION.`);
  if (!isLegalName(to)) throw new UsageError(`--to ${to} is not a valid version: ${nameWords}.`);

  const source = pathOf('agent', `${name}@${from}`, index.settings);
  const target = pathOf('agent', `${name}@${to}`, index.settings);
  if (versions.some((version) => version.toLowerCase() === to.toLowerCase())) {
    throw new UsageError(`${project.shownPath(target)} already exists and is not overwritten. Versions: ${versions.join(', ')}.`);
  }
  const copy = withVersion(source, await project.files.readText(source), to);
  if (copy === undefined) throw new UsageError(`${project.shownPath(source)} cannot be copied: it is not valid JSON. \`check\` says more.`);
  tidyTemporaries(project.root, index.settings.config_dir);
  await project.files.writeText(target, copy, { exclusive: true });
  if (options.json) cli.terminal.print(toSafeJson({ created: [target], copied_from: source }));
  else cli.terminal.print(`created ${project.shownPath(target)} from ${project.shownPath(source)}`);
}
