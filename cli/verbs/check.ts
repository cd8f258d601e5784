import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { changedPaths } from '../../core/check/changedPaths.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { dayOf } from '../../core/day.js';
import { checkRepository, type RepositoryReport } from '../../core/inventory/checkRepository.js';
import { toolFileAt } from '../../core/inventory/findToolFiles.js';
import { openGitBase } from '../../core/node/git.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import { importers } from '../../core/otherTools/index.js';
import { visibleText } from '../../core/visibleText.js';
import { plural, shellQuote } from '../../core/words.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, type ExitCode, example, exitCodes, type GlobalOptions, type OpenProject, UsageError, type VerbSetup } from '../cli.js';
import { applyFixes, findFixes, printDryRun } from '../fixProject.js';
import { loadRepositoryIndex } from '../openCliProject.js';
import { asOfOption, parseUsd, toCount } from '../optionValues.js';
import { locateRepository } from '../project.js';
import { compareFindings } from '../reports/compareFindings.js';
import { toGithubReport } from '../reports/github.js';
import { inventoryLines } from '../reports/inventoryLines.js';
import { toJsonReport } from '../reports/json.js';
import { countOf } from '../reports/report.js';
import { toSarifReport } from '../reports/sarif.js';
import { summaryLine } from '../reports/summaryLine.js';
import { textReport } from '../reports/text.js';
import { watchProject } from '../watchProject.js';

interface CheckOptions extends GlobalOptions {
  readonly format?: 'text' | 'json' | 'sarif' | 'github';
  readonly maxWarnings?: number;
  readonly base?: string;
  readonly maxCost?: number;
  readonly asOf?: string;
  readonly environment?: string;
  readonly fix?: boolean;
  readonly dryRun?: boolean;
  readonly staged?: boolean;
  readonly watch?: boolean;
}

export const check: VerbSetup = (command, cli) => {
  command
    .argument('[path...]', 'files or folders to report on (default: the whole project)')
    .addOption(new Option('--format <format>', 'output format (default: text)').choices(['text', 'json', 'sarif', 'github']))
    .option('--max-warnings <n>', 'fail when there are more warnings than this', toCount(0))
    .option('--base <ref>', 'git revision to compare with: reports schemas changed under the same version')
    .option('--env, --environment <name>', 'environment to check (default: every one)')
    .option('--max-cost <usd>', 'fail when one run of an agent or orchestration may cost more than this', parseUsd)
    .option(...asOfOption)
    .option('--fix', 'apply every fix that changes no behaviour, then report what is left')
    .option('--dry-run', 'with --fix: print what it would change as a diff, and change nothing')
    .option('--staged', 'check the files staged in git, and those that they may break')
    .option('--watch', 'check again whenever a config file changes and say what is new and what is gone, until Ctrl+C')
    .addHelpText('after', () =>
      example(cli, [
        'check',
        'check --watch',
        'check --fix --dry-run',
        'check --staged',
        'check config/agents/A2 --max-warnings 0',
        'check --base origin/main --format github',
        'check --env prod --max-cost 0.50',
        'check --format sarif > agentstack.sarif',
      ]),
    )
    .addHelpText('after', '\nExit codes: 0 no errors, 1 errors or too many warnings, 2 could not check, or nothing to check.')
    .action(async (paths: string[]) => {
      const options = command.optsWithGlobals<CheckOptions>();
      if (options.watch) await watchCheck(cli, paths, options);
      else cli.exit(await runCheck(cli, paths, options));
    });
};

async function runCheck(cli: Cli, paths: readonly string[], options: CheckOptions): Promise<ExitCode> {
  const format = options.format ?? (options.json ? 'json' : 'text');
  if (format === 'json') cli.expectJson();
  if (options.dryRun && !options.fix) throw new UsageError('Give --dry-run together with --fix.');
  if (options.dryRun && format !== 'text' && format !== 'json') throw new UsageError(`--dry-run prints a diff, not --format ${format}.`);
  if (options.staged && paths.length > 0) throw new UsageError('Give paths or --staged, not both.');
  const project = locateRepository(cli, options, paths[0]);
  const target = await targetOf(cli, project, paths, options);
  if (options.fix) {
    const fixed = await findFixes(project, target.own);
    if (options.dryRun) return printDryRun(cli, project, fixed, format === 'json');
    await applyFixes(cli, project, fixed);
  }
  const report = await checkFiles(cli, project, target.paths, options);
  if (!options.staged) passOver(cli, report, paths, target.own);
  await print(cli, project, report, format);
  if (report.inventory.unseen !== undefined) cli.terminal.note(visibleText(report.inventory.unseen));
  return exitCodeOf(cli, project, report, paths, options);
}

/** A whole report first, then after each change what it made of it. */
async function watchCheck(cli: Cli, paths: readonly string[], options: CheckOptions): Promise<void> {
  if (options.json || (options.format ?? 'text') !== 'text') throw new UsageError('--watch prints text: leave out --json and --format.');
  if (options.fix || options.staged) throw new UsageError('Give --watch without --fix and --staged.');
  const project = locateRepository(cli, options, paths[0]);
  const target = await targetOf(cli, project, paths, options);
  let before: RepositoryReport | undefined;
  await watchProject(cli, project.root, async () => {
    const report = await checkFiles(cli, project, target.paths, options);
    if (before === undefined) {
      passOver(cli, report, paths, target.own);
      await print(cli, project, report, 'text');
      cli.terminal.note('Watching for changes. Press Ctrl+C to stop.');
    } else await printChange(cli, project, before, report);
    before = report;
  });
}

/** Nothing where all findings stay as they were. */
async function printChange({ terminal }: Cli, project: OpenProject, before: RepositoryReport, now: RepositoryReport): Promise<void> {
  const { added, gone } = compareFindings(before.findings, now.findings);
  if (added.length === 0 && gone.length === 0) return;
  const { out: styles, columns } = terminal;
  terminal.print(`\n${styles.bold(`${added.length} new, ${gone.length} gone`)}`);
  for (const { file, line, code, message } of gone)
    terminal.print(styles.dim(`gone: ${visibleText(`${project.shownPath(file)}:${line} ${code} ${message}`)}`));
  const options = { styles, columns, pathOf: project.shownPath, textOf: project.textOf, root: project.root };
  for await (const lines of textReport({ findings: added }, options)) terminal.print(lines);
  terminal.print(summaryLine(now, styles));
}

/** Project paths; all where undefined. */
interface Target {
  /** The files that are named. */
  readonly own: readonly string[] | undefined;
  /** These, and of staged files also those that they may break. */
  readonly paths: readonly string[] | undefined;
}

async function targetOf(cli: Cli, project: OpenProject, paths: readonly string[], { staged }: CheckOptions): Promise<Target> {
  if (staged) {
    const { listStagedFiles } = await import('../../core/node/git.js');
    const files = await listStagedFiles(project.root);
    const index = await loadProjectIndex(project.files, { bare: project.isBare });
    const { paths } = await changedPaths(index, project.files, files);
    const own = files.map(({ path }) => path);
    const others = own.filter((path) => toolFileAt(path) !== undefined);
    return { own, paths: paths && [...new Set([...paths, ...others])] };
  }
  const projectPaths = paths.length === 0 ? undefined : paths.map((path) => projectPath(project, cli, path));
  return { own: projectPaths, paths: projectPaths };
}

async function checkFiles(cli: Cli, project: OpenProject, paths: Target['paths'], options: CheckOptions): Promise<RepositoryReport> {
  const base = options.base === undefined ? undefined : await openGitBase(project.root, options.base);
  const { environment } = options;
  const clock = createNodeClock();
  try {
    return await checkRepository({
      files: project.files,
      index: await loadRepositoryIndex(cli, project, { code: 'reported' }),
      variables: project.variables,
      paths,
      base,
      environment,
      onIndex: environment === undefined ? undefined : (index) => checkEnvironment(index, environment),
      maxCost: options.maxCost,
      clock,
      asOf: options.asOf ?? dayOf(clock.now()),
      onProgress: ({ checked, total }) => cli.terminal.progress(`checked ${checked} of ${plural(total, 'file')}`),
    });
  } finally {
    base?.close();
  }
}

/** Git hooks pass every changed file, config or not. @throws UsageError when a path does not exist */
function passOver(
  { terminal, cwd }: Cli,
  { unmatched }: RepositoryReport,
  paths: readonly string[],
  own: readonly string[] | undefined,
): void {
  for (const path of unmatched) {
    const written = paths[own?.indexOf(path) ?? 0] ?? path;
    if (!existsSync(resolve(cwd, written))) throw new UsageError(`There is no file or folder ${written}.`);
    terminal.note(`Skipped: ${visibleText(written)} is not a config file and no folder with one.`);
  }
}

function exitCodeOf(
  { terminal, name }: Cli,
  { isBare }: OpenProject,
  report: RepositoryReport,
  paths: readonly string[],
  { maxWarnings, staged }: CheckOptions,
): ExitCode {
  const warnings = countOf(report, 'warning');
  const tooMany = maxWarnings !== undefined && warnings > maxWarnings;
  if (tooMany) terminal.note(`${plural(warnings, 'warning')}, more than the ${maxWarnings} allowed by --max-warnings.`);
  if (countOf(report, 'error') > 0 || tooMany) return exitCodes.failed;
  if (report.files > 0 || staged) return exitCodes.ok;
  if (isBare && paths.length === 0) {
    terminal.note(
      `Nothing was checked: there is no file of ours here, nor one of another tool that is known. \`${name} init\` starts a project.`,
    );
    return exitCodes.unusable;
  }
  const where = paths.length === 0 ? 'This project has' : `${paths.join(', ')} ${paths.length === 1 ? 'holds' : 'hold'}`;
  terminal.note(`Nothing was checked: ${where} no config file of Agent Stack.`);
  return exitCodes.unusable;
}

async function print(cli: Cli, project: OpenProject, report: RepositoryReport, format: 'text' | 'json' | 'sarif' | 'github') {
  const { terminal } = cli;
  const version = process.env.AGENT_STACK_VERSION ?? 'unknown';
  if (format === 'json') terminal.print(toJsonReport(report));
  else if (format === 'sarif') {
    terminal.print(await toSarifReport(report, project.repositoryPath, version));
  } else if (format === 'github') {
    if (report.findings.length > 0) terminal.print(toGithubReport(report, project.repositoryPath));
    terminal.note(summaryLine(report, terminal.err));
  } else {
    const { out: styles, columns } = terminal;
    const inventory = inventoryLines(report.inventory, terminal);
    if (inventory !== '') terminal.print(`${inventory}\n`);
    for await (const lines of textReport(report, {
      styles,
      columns,
      pathOf: project.shownPath,
      textOf: project.textOf,
      root: project.root,
    }))
      terminal.print(lines);
    if (report.files === 0 && project.isBare) return;
    terminal.print(summaryLine(report, styles));
    const next = project.isBare ? nextStep(cli, report) : '';
    if (next !== '') terminal.note(next);
  }
}

/** The one step from the files of other tools to what comes next. */
function nextStep({ name }: Cli, { findings, inventory }: RepositoryReport): string {
  const worst = findings.find(({ severity }) => severity === 'error') ?? findings.find(({ severity }) => severity === 'warning');
  if (worst !== undefined) return `Next: \`${name} explain ${worst.code}\` says what the first ${worst.severity} means.`;
  const agent = inventory.files.find(({ kind, tool }) => kind.words !== undefined && importers.some(({ id }) => id === tool));
  if (agent !== undefined) return `Next: \`${name} import ${shellQuote(agent.path)}\` makes an agent of Agent Stack of it.`;
  return `Next: \`${name} init\` starts a project with an agent of its own.`;
}

/** A path of the command line, from the working directory, as a project path. */
function projectPath(project: OpenProject, { cwd }: Cli, path: string): string {
  const pathInProject = project.toProjectPath(resolve(cwd, path));
  if (pathInProject === undefined)
    throw new UsageError(`${path} is not in the project ${project.shownPath('')}. Use --project to check another one.`);
  return pathInProject;
}
