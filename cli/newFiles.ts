import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type LoadedIndex, loadProjectIndex } from '../core/config/loadProjectIndex.js';
import { isLegalName, type Kind, nameWords } from '../core/kinds.js';
import { findProject } from '../core/node/findProject.js';
import { tidyTemporaries } from '../core/node/temporaryFiles.js';
import { findTakenName } from '../core/scaffold/findTakenName.js';
import { type NewFile, writeNewFiles } from '../core/scaffold/newFile.js';
import { toSafeJson } from '../core/visibleText.js';
import { shellQuote } from '../core/words.js';
import { type Cli, type GlobalOptions, type OpenProject, UsageError } from './cli.js';
import { locateProject, projectAt } from './project.js';

/** The project in which a verb creates files. */
export interface ProjectToFill {
  readonly project: OpenProject;
  readonly index: LoadedIndex;
}

/**
 * `--project` may name a folder that is not a project yet: it becomes one.
 *
 * @param bare what happens without `--project` where there is no project: `refuse`, or `here`, which makes the working directory one
 */
export async function openProjectToFill(cli: Cli, options: GlobalOptions, bare: 'refuse' | 'here' = 'refuse'): Promise<ProjectToFill> {
  const isHere = bare === 'here' && options.project === undefined && findProject(cli.cwd) === undefined;
  const project = isHere ? projectAt(cli, cli.cwd) : projectToFill(cli, options);
  return { project, index: await loadProjectIndex(project.files) };
}

function projectToFill(cli: Cli, options: GlobalOptions): OpenProject {
  if (options.project === undefined) return locateProject(cli, options);
  const folder = resolve(cli.cwd, options.project);
  if (findProject(folder) === folder) return locateProject(cli, options);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--project ${options.project}: there is no such folder.`);
  return projectAt(cli, folder);
}

/** @throws UsageError for a name that no file may have */
export function requireLegalName(name: string): void {
  if (!isLegalName(name)) throw new UsageError(`${JSON.stringify(name)} is not a valid name: ${nameWords}.`);
}

/** @throws UsageError when the agent or orchestration already has a case of that name; letter case is ignored */
export function requireFreeCase(index: Pick<LoadedIndex, 'ids'>, owner: string, name: string): void {
  for (const [id, path] of index.ids('payload')) {
    if (id.toLowerCase() === `${owner}/${name}`.toLowerCase())
      throw new UsageError(`A case named ${id} already exists (${path}). Choose another name.`);
  }
}

/**
 * @param words the kind with its article: `An agent`
 * @throws UsageError when the name is illegal or already taken, regardless of letter case
 */
export function requireFreeName(
  index: LoadedIndex,
  kind: Kind,
  name: string,
  words: string,
  advice = (_name: string) => 'Choose another name.',
): void {
  requireLegalName(name);
  const taken = findTakenName(index, kind, name);
  if (taken !== undefined) throw new UsageError(`${words} named ${taken.name} already exists (${taken.path}). ${advice(taken.name)}`);
}

/** Writes the files and prints their paths. @param next what to do with them, for stderr */
export async function createFiles(
  cli: Cli,
  { project, index }: ProjectToFill,
  files: readonly NewFile[],
  options: GlobalOptions,
  next: string,
): Promise<void> {
  tidyTemporaries(project.root, index.settings.config_dir);
  await writeNewFiles(project.files, files);
  const created = files.map(({ path }) => path);
  if (options.json) {
    cli.terminal.print(toSafeJson({ created }));
    return;
  }
  for (const path of created) cli.terminal.print(`created ${project.shownPath(path)}`);
  cli.terminal.note(next);
}

/** ` --project DIR`, for a command that is to be tried in the same project. */
export function projectFlag({ project }: GlobalOptions): string {
  return project === undefined ? '' : ` --project ${shellQuote(project)}`;
}
