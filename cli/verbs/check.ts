import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { type CheckReport, checkProject } from '../../core/check/checkProject.js';
import { openGitBase } from '../../core/node/gitBase.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import { plural } from '../../core/plural.js';
import { checkEnvironment } from '../checkEnvironment.js';
import type { Cli, GlobalOptions, OpenProject, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { exitCodes } from '../exitCodes.js';
import { locateProject } from '../project.js';
import { toGithubReport } from '../reports/github.js';
import { toJsonReport } from '../reports/json.js';
import { countOf, type Report } from '../reports/report.js';
import { toSarifReport } from '../reports/sarif.js';
import { summaryLine } from '../reports/summaryLine.js';
import { textReport } from '../reports/text.js';
import { UsageError } from '../usageError.js';
import { parseUsd } from '../usd.js';

interface CheckOptions extends GlobalOptions {
  readonly format?: 'text' | 'json' | 'sarif' | 'github';
  readonly maxWarnings?: number;
  readonly base?: string;
  readonly maxCost?: number;
  readonly environment?: string;
}

export const check: VerbSetup = (command, cli) => {
  command
    .argument('[path...]', 'files or folders to report on (default: the whole project)')
    .addOption(new Option('--format <format>', 'output format (default: text)').choices(['text', 'json', 'sarif', 'github']))
    .option('--max-warnings <n>', 'fail when there are more warnings than this', toCount)
    .option('--base <ref>', 'git revision to compare with: reports schemas changed under the same version')
    .option('--env, --environment <name>', "environment whose settings apply (default: the project's)")
    .option('--max-cost <usd>', 'fail when one run of an agent or orchestration may cost more than this', parseUsd)
    .addHelpText('after', () =>
      example(cli, [
        'check',
        'check config/agents/A2 --max-warnings 0',
        'check --base origin/main --format github',
        'check --env prod --max-cost 0.50',
        'check --format sarif > agentstack.sarif',
      ]),
    )
    .addHelpText('after', '\nExit codes: 0 no errors, 1 errors or too many warnings, 2 could not check.')
    .action(async (paths: string[]) => {
      cli.exit(await runCheck(cli, paths, command.optsWithGlobals<CheckOptions>()));
    });
};

async function runCheck(cli: Cli, paths: readonly string[], options: CheckOptions) {
  const format = options.format ?? (options.json ? 'json' : 'text');
  if (format === 'json') cli.expectJson();
  const { terminal } = cli;
  const project = locateProject(cli, options, paths[0]);
  const wanted = paths.length === 0 ? undefined : paths.map((path) => projectPath(project, cli, path));
  const base = options.base === undefined ? undefined : await openGitBase(project.root, options.base);
  const { environment } = options;
  let report: CheckReport;
  try {
    report = await checkProject({
      files: project.files,
      variables: project.variables,
      paths: wanted,
      base,
      environment,
      onIndex: environment === undefined ? undefined : (index) => checkEnvironment(index, environment),
      maxCost: options.maxCost,
      clock: createNodeClock(),
      onProgress: ({ checked, total }) => terminal.progress(`checked ${checked} of ${plural(total, 'file')}`),
    });
  } finally {
    base?.close();
  }
  const missing = report.unmatched[0];
  if (missing !== undefined) {
    const written = paths[wanted?.indexOf(missing) ?? 0] ?? missing;
    throw new UsageError(`${written} is no config file and no folder with one.`);
  }
  await print(cli, project, report, format);

  const warnings = countOf(report, 'warning');
  const tooMany = options.maxWarnings !== undefined && warnings > options.maxWarnings;
  if (tooMany) terminal.note(`${plural(warnings, 'warning')}, more than the ${options.maxWarnings} allowed by --max-warnings.`);
  return countOf(report, 'error') > 0 || tooMany ? exitCodes.failed : exitCodes.ok;
}

async function print({ terminal }: Cli, project: OpenProject, report: Report, format: 'text' | 'json' | 'sarif' | 'github') {
  const version = process.env.AGENT_STACK_VERSION ?? 'unknown';
  if (format === 'json') terminal.print(toJsonReport(report));
  else if (format === 'sarif') {
    terminal.print(await toSarifReport(report, project.repositoryPath, version));
  } else if (format === 'github') {
    if (report.findings.length > 0) terminal.print(toGithubReport(report, project.repositoryPath));
    terminal.note(summaryLine(report, terminal.err));
  } else {
    const { out: styles, columns } = terminal;
    for await (const lines of textReport(report, { styles, columns, pathOf: project.shownPath, textOf: project.textOf }))
      terminal.print(lines);
    terminal.print(summaryLine(report, styles));
  }
}

/** A path of the command line, from the working directory, as a project path. */
function projectPath(project: OpenProject, { cwd }: Cli, path: string): string {
  const found = project.toProjectPath(resolve(cwd, path));
  if (found === undefined)
    throw new UsageError(`${path} is not in the project ${project.shownPath('')}. Use --project to check another one.`);
  return found;
}

function toCount(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Expected a whole number, 0 or more.');
  return Number(value);
}
