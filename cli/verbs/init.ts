import { dirname, resolve } from 'node:path';
import { readOr } from '../../core/config/listConfigFiles.js';
import { type LoadedIndex, loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { isForeignMcpKind } from '../../core/config/mcpFiles.js';
import { settingsPath } from '../../core/config/paths.js';
import type { Finding } from '../../core/finding.js';
import { findProject } from '../../core/node/findProject.js';
import { makeFolders } from '../../core/node/writeFiles.js';
import type { NewFile } from '../../core/scaffold/newFile.js';
import { starterFiles } from '../../core/scaffold/starterFiles.js';
import { shellQuote } from '../../core/words.js';
import { type Cli, example, type GlobalOptions, type OpenProject, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { createFiles, requireLegalName } from '../newFiles.js';
import { projectAt } from '../project.js';

interface InitOptions extends GlobalOptions {
  readonly agent: string;
}

export const init: VerbSetup = (command, cli) => {
  command
    .argument('[dir]', 'folder of the project, created where it is missing (default: this one)')
    .option('--agent <name>', 'name of the first agent', 'TicketRouter')
    .addHelpText('after', () => example(cli, ['init', 'init my-agents --agent Summary']))
    .addHelpText('after', '\nThe agent runs offline, without a key. No file is ever overwritten, and a project is left as it is.')
    .action(async (dir: string | undefined) => {
      const options = readOptions<InitOptions>(cli, command);
      await create(cli, dir ?? options.project ?? '.', options);
    });
};

async function create(cli: Cli, dir: string, options: InitOptions): Promise<void> {
  requireLegalName(options.agent);
  const folder = resolve(cli.cwd, dir);
  makeFolder(folder, dir);
  const project = projectAt(cli, folder);
  const index = await loadProjectIndex(project.files);
  const files = starterFiles(index.settings, options.agent);
  requireNoProject(index, project, files, cli.name);
  const missing = await filesToWrite(project, files);
  const above = findProject(dirname(folder));
  if (above !== undefined) cli.terminal.note(`Note: ${above}, a folder above, is a project too. In ${folder}, commands use the new one.`);
  await createFiles(cli, { project, index }, missing, options, nextSteps(cli, dir, options.agent));
}

function makeFolder(folder: string, written: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    throw new UsageError(`${written} is not a folder and cannot be created: ${(error as Error).message}`);
  }
}

/** The settings are written last, so a folder that has them is a whole project. Without them, it may hold files of a killed attempt. */
function requireNoProject(index: LoadedIndex, project: OpenProject, files: readonly NewFile[], name: string): void {
  // The lists of MCP servers of other tools make no project.
  const others = index.files().flatMap(({ path, identity }) => (isForeignMcpKind(identity.kind) ? [] : [path]));
  const existing = others.find((path) => path === settingsPath) ?? others.find((path) => files.every((file) => file.path !== path));
  if (existing === undefined) return;
  throw new UsageError(
    `This folder is already a project (${project.shownPath(existing)}); nothing was changed. Create an agent with \`${name} new agent NAME\`.`,
  );
}

/** The files that no earlier attempt has written. @throws UsageError when one exists with other content */
async function filesToWrite(project: OpenProject, files: readonly NewFile[]): Promise<readonly NewFile[]> {
  const faults: Finding[] = [];
  const missing: NewFile[] = [];
  for (const file of files) {
    const text = await readOr(project.files, file.path, faults);
    if (text === undefined) missing.push(file);
    else if (text !== file.text)
      throw new UsageError(
        `${project.shownPath(file.path)} already exists and is not overwritten. Move it away, or choose another folder.`,
      );
  }
  const [fault] = faults;
  if (fault !== undefined) throw new UsageError(fault.message);
  return missing;
}

function nextSteps({ name }: Cli, dir: string, agent: string): string {
  const steps = [
    ...(dir === '.' ? [] : [[`cd ${shellQuote(dir)}`, '']]),
    [`${name} run ${agent} --case example`, 'offline, without a key'],
    [`${name} check`, 'what is wrong in the config files'],
    [`${name} new llm openai --provider openai`, 'a real model'],
  ] as const;
  const width = Math.max(...steps.map(([step]) => step!.length));
  return ['Next:', ...steps.map(([step, why]) => `  ${step!.padEnd(width)}  ${why}`.trimEnd())].join('\n');
}
