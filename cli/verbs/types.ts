import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { projectTypesText } from '../../core/agent/load/projectTypesText.js';
import { Refused } from '../../core/agent/load/refused.js';
import { openNamedFile } from '../../core/node/namedFiles.js';
import type { Project } from '../../core/project/types.js';
import { orchestrationTypes } from '../../core/team/orchestrationTypes.js';
import { visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { type Cli, example, exitCodes, type GlobalOptions, UsageError, type VerbSetup } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';
import type { Terminal } from '../terminal/terminal.js';
import { watchProject } from '../watchProject.js';

interface TypesOptions extends GlobalOptions {
  readonly out?: string;
  readonly watch?: boolean;
  readonly check?: boolean;
}

export const types: VerbSetup = (command, cli) => {
  command
    .option('--out <file>', 'file to write (default: agentstack.d.ts in the project folder)')
    .option('--watch', 'write it again whenever a config file changes, until Ctrl+C')
    .option('--check', 'write nothing: exit code 1 where the file is not what would be written')
    .addHelpText('after', () => example(cli, ['types', 'types --watch', 'types --check', 'types --out src/agentstack.d.ts']))
    .addHelpText(
      'after',
      '\nAdd the file to tsconfig.json, in "include" or "files": project.run, project.invoke and project.orchestrate then check inputs and type outputs.\n' +
        'Exit codes: 0 written, 1 an agent or orchestration has errors, so that its types are unknown, or the file is out of date (--check), 2 could not be written.',
    )
    .action(async () => {
      const options = command.optsWithGlobals<TypesOptions>();
      const { root } = locateProject(cli, options);
      const project = openCliProject(cli, root, { code: 'never' });
      const path = options.out === undefined ? join(root, 'agentstack.d.ts') : resolve(cli.cwd, options.out);
      if (options.watch && options.check) throw new UsageError('Give --watch or --check, not both.');
      if (options.check) cli.exit((await isCurrent(cli, project, path)) ? exitCodes.ok : exitCodes.failed);
      else if (options.watch) await watchProject(cli, root, () => write(cli, root, project, path));
      else cli.exit((await write(cli, root, project, path)) ? exitCodes.ok : exitCodes.failed);
    });
};

/** Whether the types of all agents and orchestrations are known. A file that is up to date is left alone. */
async function write({ terminal, cwd }: Cli, root: string, project: Project, path: string): Promise<boolean> {
  const { index, text, left_out } = await composeTypes(terminal, project);
  if ((await currentText(path)) !== text) openNamedFile(root, path, cwd).write(text);
  const isLeftOut = (name: string) => left_out.some((entry) => entry.name === name);
  const countOf = (kind: 'agent' | 'orchestration') => plural([...index.ids(kind).keys()].filter((name) => !isLeftOut(name)).length, kind);
  const orchestrations = index.ids('orchestration').size === 0 ? '' : ` and ${countOf('orchestration')}`;
  terminal.note(`${shownPath(path, cwd)} has the types of ${countOf('agent')}${orchestrations}.`);
  return left_out.length === 0;
}

/** Whether the file is what would be written, and the types of all agents and orchestrations are known. */
async function isCurrent({ terminal, cwd }: Cli, project: Project, path: string): Promise<boolean> {
  const { text, left_out } = await composeTypes(terminal, project);
  const current = await currentText(path);
  if (current === text) terminal.note(`${shownPath(path, cwd)} is up to date.`);
  else
    terminal.note(
      terminal.err.yellow(
        `${shownPath(path, cwd)} ${current === undefined ? 'does not exist' : 'is out of date'}. Run \`agent-stack types\`.`,
      ),
    );
  return current === text && left_out.length === 0;
}

/** The text of the file, and what is left out of it, which is reported. */
async function composeTypes(terminal: Terminal, project: Project) {
  const index = await project.index();
  const composed = await projectTypesText({
    index,
    load: (agent) => project.load({ ...agent, index }),
    async typesOf(name) {
      const loaded = await project.loadOrchestration({ name, index });
      return loaded instanceof Refused ? loaded : orchestrationTypes(name, loaded);
    },
  });
  for (const { name, reason } of composed.left_out) terminal.note(terminal.err.yellow(`${name} is left out: ${visibleText(reason)}`));
  return { index, ...composed };
}

function currentText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function shownPath(path: string, cwd: string): string {
  return path.startsWith(cwd) ? path.slice(cwd.length + 1) : path;
}
