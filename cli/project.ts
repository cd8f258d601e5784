import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { projectMark } from '../core/config/projectFolders.js';
import { findText } from '../core/jsonText/findText.js';
import { findProject, findRepository } from '../core/node/findProject.js';
import { createNodeFiles } from '../core/node/nodeFiles.js';
import { createNodeEnvironment } from '../core/node/nodePorts.js';
import { type Cli, type GlobalOptions, type OpenProject, UsageError } from './cli.js';

/**
 * Finds the project: `--project`, else the nearest one upwards from `near` (a path the command names) or the working directory.
 *
 * @throws UsageError without a project, with what to do
 */
export function locateProject(cli: Cli, { project }: GlobalOptions, near?: string): OpenProject {
  const start = resolve(cli.cwd, project ?? near ?? '.');
  const nearest = findProject(start);
  if (nearest === undefined) throw noProject(cli, project, near);
  if (project !== undefined && realPath(nearest) !== realPath(start)) {
    throw new UsageError(
      `${project} is not a project: it does not hold ${projectMark}. The nearest project upwards is ${fromHere(cli.cwd, nearest)}.`,
    );
  }
  return projectAt(cli, nearest);
}

/**
 * The project; where there is none, the repository, or the folder itself if it is in none: what other tools have there can be looked at all the same.
 */
export function locateRepository(cli: Cli, { project }: GlobalOptions, near?: string): OpenProject {
  const start = resolve(cli.cwd, project ?? near ?? '.');
  if (findProject(start) !== undefined) return locateProject(cli, { project } as GlobalOptions, near);
  const folder = statSync(start, { throwIfNoEntry: false })?.isDirectory() ? start : dirname(start);
  return projectAt(cli, project === undefined ? (findRepository(folder) ?? folder) : start, true);
}

/** A folder as a project, whether or not it is one yet. */
export function projectAt(cli: Cli, folder: string, isBare = false): OpenProject {
  const root = realPath(folder);
  const cwd = realPath(cli.cwd);
  const files = createNodeFiles(root);
  const checkout = realPath(cli.env.GITHUB_WORKSPACE || cwd);
  const project: OpenProject = {
    root,
    isBare,
    files,
    variables: createNodeEnvironment(cli.env),
    toProjectPath: (path) => within(root, realPath(path)),
    shownPath: (file) => fromHere(cwd, join(root, file)),
    repositoryPath: (file) => within(checkout, join(root, file)) ?? within(cwd, join(root, file)) ?? file,
    textOf: (file) => findText(files, file),
  };
  cli.project = project;
  return project;
}

function noProject(cli: Cli, project: string | undefined, near: string | undefined): UsageError {
  const where = project ?? near ?? 'this folder';
  return new UsageError(
    `No project here: neither ${where} nor a folder above it holds ${projectMark}. ` +
      `Name one with --project DIR, or start one with \`${cli.name} init\`.`,
  );
}

function fromHere(cwd: string, path: string): string {
  const relativePath = relative(cwd, path);
  if (relativePath === '') return '.';
  return isAbsolute(relativePath) ? path : toSlashes(relativePath);
}

/** `path` below `folder` with `/` between, or undefined. */
function within(folder: string, path: string): string | undefined {
  const relativePath = relative(folder, path);
  if (isAbsolute(relativePath) || relativePath === '..' || relativePath.startsWith(`..${sep}`)) return undefined;
  return toSlashes(relativePath);
}

function toSlashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/');
}

/** The path without symbolic links, as far as it exists: a file still to be created has only its folder resolved. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EACCES') || dirname(path) === path) throw error;
    return join(realPath(dirname(path)), path.slice(dirname(path).length).replace(/^[/\\]/, ''));
  }
}
