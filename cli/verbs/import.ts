import { relative, resolve } from 'node:path';
import { Option } from 'commander';
import type { PlacedFinding } from '../../core/finding.js';
import { planImport, writeImport } from '../../core/import/planImport.js';
import type { ImportNote, ImportPlan } from '../../core/import/types.js';
import { type ImportPlace, importPlace } from '../../core/node/importPlace.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { tidyTemporaries } from '../../core/node/temporaryFiles.js';
import { importers } from '../../core/otherTools/index.js';
import { toSafeJson, visibleLines, visibleText } from '../../core/visibleText.js';
import { type Cli, example, type GlobalOptions, type OpenProject, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { openProjectToFill, projectFlag, requireLegalName } from '../newFiles.js';

interface ImportOptions extends GlobalOptions {
  readonly from?: string;
  readonly name?: string;
  readonly dryRun?: true;
}

export const importVerb: VerbSetup = (command, cli) => {
  command
    .argument('<path>', 'agent file of another tool, or a folder with such files')
    .addOption(new Option('--from <tool>', 'the tool it is of (default: recognised)').choices(importers.map(({ id }) => id)))
    .option('--name <name>', 'name of the one agent that is imported')
    .option('--dry-run', 'print the files without writing them')
    .addHelpText('after', () =>
      example(cli, ['import .claude/agents', 'import crew.jsonc --dry-run', 'import old.json --from aurite --name A3']),
    )
    .addHelpText(
      'after',
      '\nNo file is ever overwritten: where one is in the way, nothing is written. What has no counterpart is noted with its place in the source. Exit codes: 0 written, 2 not.',
    )
    .action(async (path: string) => {
      const options = readOptions<ImportOptions>(cli, command);
      await run(cli, path, options);
    });
};

async function run(cli: Cli, path: string, options: ImportOptions): Promise<void> {
  const { from, name, dryRun } = options;
  if (name !== undefined) requireLegalName(name);
  const place = importPlace(resolve(cli.cwd, path));
  if (place === undefined) throw new UsageError(`${path}: there is no such file or folder.`);
  const { project, index } = await openProjectToFill(cli, options, 'here');
  const files = createNodeFiles(place.folder);
  const plan = await planImport({ files, entry: place.entry, from, name, project: project.files, index, variables: project.variables });
  if (plan.obstacles.length > 0) throw new UsageError(`Nothing was written. ${plan.obstacles.join(' ')}`);
  if (dryRun === undefined) {
    tidyTemporaries(project.root, index.settings.config_dir);
    await writeImport(project.files, plan);
  }
  if (options.json) cli.terminal.print(toSafeJson(jsonOf(plan, dryRun === true)));
  else printPlan(cli, project, plan, place, options);
}

function jsonOf({ sources, files, notes, findings }: ImportPlan, dry_run: boolean): object {
  const pathsOf = (action: string) => files.filter((file) => file.action === action).map(({ path }) => path);
  return {
    dry_run,
    sources,
    created: pathsOf('create'),
    changed: pathsOf('change'),
    unchanged: pathsOf('same'),
    ...(dry_run && { files: files.map(({ path, action, text }) => ({ path, action, text })) }),
    notes,
    findings: findings.map(({ code, severity, file, line, column, pointer, message }) => ({
      code,
      severity,
      file,
      line,
      column,
      pointer,
      message,
    })),
  };
}

const words = { create: 'created', change: 'changed', same: 'unchanged' };
const dryWords = { create: 'would create', change: 'would change', same: 'unchanged' };

function printPlan(
  cli: Cli,
  project: OpenProject,
  { files, notes, findings }: ImportPlan,
  place: ImportPlace,
  options: ImportOptions,
): void {
  const { terminal } = cli;
  for (const { path, text, action } of files) {
    terminal.print(`${(options.dryRun ? dryWords : words)[action]} ${visibleText(project.shownPath(path))}`);
    if (options.dryRun && action !== 'same') terminal.print(visibleLines(text));
  }
  if (notes.length > 0) terminal.note(terminal.err.bold('Differences from the source:'));
  for (const note of notes) terminal.note(noteLine(note, relative(cli.cwd, resolve(place.folder, note.file))));
  if (findings.length > 0) terminal.note(terminal.err.bold('What check finds in the files:'));
  for (const finding of findings) terminal.note(findingLine(finding, project.shownPath(finding.file)));
  const agent = files.map(({ path }) => /\/agents\/([^/]+)\/[^/]+\.json$/.exec(path)?.[1]).find((name) => name !== undefined);
  if (agent !== undefined && !options.dryRun) terminal.note(`See its prompt: ${cli.name} compose ${agent}${projectFlag(options)}`);
}

function noteLine({ line, column, message }: ImportNote, file: string): string {
  return `  ${visibleText(`${file}:${line}:${column}`)} ${visibleText(message)}`;
}

function findingLine({ line, column, severity, message, code }: PlacedFinding, file: string): string {
  return `  ${visibleText(`${file}:${line}:${column}`)} ${severity}: ${visibleText(message)} (${code})`;
}
