import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { namePattern } from '../../core/kinds.js';
import { findProject } from '../../core/node/findProject.js';
import { shellQuote } from '../../core/shellQuote.js';
import type { Mode } from '../../core/snapshot/effective.js';
import { agentNamedLike, newAgentFiles } from '../../core/snapshot/newAgentFiles.js';
import type { Cli, GlobalOptions, OpenProject, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { locateProject, projectAt } from '../project.js';
import { UsageError } from '../usageError.js';

interface NewAgentOptions extends GlobalOptions {
  readonly mode: Mode;
}

export const newAgent: VerbSetup = (command, cli) => {
  command
    .argument('<name>', 'name of the agent: letters, digits, ".", "_", "-"')
    .addOption(
      new Option('--mode <mode>', 'what the agent does with its fields').choices(['Chooser', 'Writer', 'Extractor']).default('Chooser'),
    )
    .addHelpText('after', () => example(cli, ['new agent TicketRouter', 'new agent Summary --mode Writer', 'new agent First --project .']))
    .addHelpText('after', '\nIn a folder that is no project yet, name it with --project to start one there.')
    .action(async (name: string) => {
      const options = command.optsWithGlobals<NewAgentOptions>();
      if (options.json) cli.expectJson();
      await create(cli, name, options);
    });
};

async function create(cli: Cli, name: string, options: NewAgentOptions): Promise<void> {
  if (!namePattern.test(name)) {
    throw new UsageError(
      `${JSON.stringify(name)} is no legal name: it begins with a letter or digit and holds letters, digits, ".", "_" and "-", at most 64.`,
    );
  }
  const project = projectToFill(cli, options);
  const index = await loadProjectIndex(project.files);
  const taken = agentNamedLike(index, name);
  if (taken !== undefined)
    throw new UsageError(
      `There is an agent ${taken.name} already (${taken.path}). Next version: \`${cli.name} new version ${taken.name}\`.`,
    );
  const created: string[] = [];
  for (const { path, text } of newAgentFiles(index, name, options.mode)) {
    await project.files.writeText(path, text, { exclusive: true });
    created.push(path);
  }
  if (options.json) {
    cli.terminal.print(JSON.stringify({ created }, null, 2));
    return;
  }
  for (const path of created) cli.terminal.print(`created ${project.shownPath(path)}`);
  const flag = options.project === undefined ? '' : ` --project ${shellQuote(options.project)}`;
  cli.terminal.note(`Try it: ${cli.name} run ${name} --case example${flag}`);
}

/** `--project` may name a folder that is no project yet: this is how one begins. */
function projectToFill(cli: Cli, options: NewAgentOptions): OpenProject {
  if (options.project === undefined) return locateProject(cli, options);
  const folder = resolve(cli.cwd, options.project);
  if (findProject(folder) === folder) return locateProject(cli, options);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--project ${options.project}: there is no such folder.`);
  return projectAt(cli, folder);
}
