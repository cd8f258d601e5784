import { basename } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { JsonObject } from '../../core/json.js';
import { createConfigChanges } from '../../core/node/projectAdapters.js';
import { FileProblem } from '../../core/ports.js';
import { ProjectCatalog } from '../../core/project/catalog.js';
import { refusalWords } from '../../core/serve/describe.js';
import type { Exposed } from '../../core/serve/exposed.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, type GlobalOptions, type OpenProject, readOptions, UsageError } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';

export interface ExportOptions extends GlobalOptions {
  readonly url?: string;
  readonly name?: string;
  readonly description?: string;
  readonly environment?: string;
  readonly force?: true;
}

export interface ExportedFile {
  /** Project path. */
  readonly path: string;
  /** Key of the list of exposed names in the output of `--json`. */
  readonly list: 'skills' | 'tools';
  /** Composes the file. `described` is the default description of the whole, `folder` the name of the project folder. */
  compose(usable: readonly Exposed[], defaults: { readonly folder: string; readonly described: string }): JsonObject;
  /** What in the file is a placeholder, as notes on stderr. */
  readonly notes: readonly string[];
}

/** Writes a file that describes what the project exposes and can run. */
export async function exportExposed(cli: Cli, command: Command, { path, list, compose, notes }: ExportedFile): Promise<void> {
  const options = readOptions<ExportOptions>(cli, command);
  const opened = locateProject(cli, options);
  const project = openCliProject(cli, opened.root, { ...options, code: 'never' });
  checkEnvironment(await project.index(), options.environment);
  const { exposed } = await new ProjectCatalog({ project, changes: createConfigChanges(opened.root) }).current();
  const usable = exposed.filter(({ refusal }) => refusal === undefined);
  for (const { id, refusal } of exposed)
    if (refusal !== undefined) cli.terminal.note(cli.terminal.err.yellow(`left out ${id}: ${visibleText(refusalWords(refusal))}`));
  if (usable.length === 0)
    throw new UsageError('Nothing to write: no agent or orchestration that can run says "expose": true in its file.');
  const names = usable.map(({ id }) => id).join(', ');
  const folder = basename(opened.root);
  const file = compose(usable, { folder, described: `Agents of ${folder}: ${names}.` });
  await writeExport(opened, path, file, options.force);
  if (options.json) {
    cli.terminal.print(toSafeJson({ created: [path], [list]: usable.map(({ tool_name }) => tool_name) }));
    return;
  }
  cli.terminal.print(`wrote ${opened.shownPath(path)}: ${names}`);
  for (const note of notes) cli.terminal.note(note);
}

/** Writes a file, and replaces one only with `--force`. */
export async function writeExport(opened: OpenProject, path: string, value: JsonObject, force: true | undefined): Promise<void> {
  try {
    await opened.files.writeText(path, `${JSON.stringify(value, null, 2)}\n`, { exclusive: force !== true });
  } catch (problem) {
    if (!(problem instanceof FileProblem) || problem.reason !== 'exists') throw problem;
    throw new UsageError(`${opened.shownPath(path)} already exists. Replace it with --force.`);
  }
}

/** An address as `--url` takes it. @throws InvalidArgumentError */
export function toAddress(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('Expected an address such as https://agents.example.com.');
  return value;
}
