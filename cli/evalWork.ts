import { type Command, Option } from 'commander';
import { usdText } from '../core/amounts.js';
import { StorageError } from '../core/errors.js';
import { forecastWords } from '../core/eval/report/baselineWords.js';
import type { EvalReport } from '../core/generated/types.js';
import { openNamedFile } from '../core/node/namedFiles.js';
import { FileProblem } from '../core/ports.js';
import type { SavedBaseline } from '../core/project/baselines.js';
import { coverageOfEval } from '../core/project/coverage.js';
import type { EvalProject } from '../core/project/evalLoader.js';
import { type EvalWork, saveEval } from '../core/project/evals.js';
import { plural } from '../core/words.js';
import { approveTools, readAllowedTools } from './allowTools.js';
import { type Cli, type ExitCode, exitCodes, type GlobalOptions, UsageError } from './cli.js';
import { catchInterrupts } from './interrupt.js';
import { allowToolsOption, toCount } from './optionValues.js';
import { type EvalFormat, evalFormats, formatReport } from './reports/eval/index.js';
import { textReport } from './reports/eval/text.js';
import { createStyles } from './terminal/styles.js';

/** Options of the verbs that call models. */
export interface WorkOptions {
  readonly concurrency: number;
  readonly allowTools?: string | true;
}

/** Options of what tells. */
export interface ReportOptions {
  readonly format?: EvalFormat;
  /** File, from the working directory. */
  readonly output?: string;
  readonly saveBaseline?: true;
  readonly coverage?: true;
  readonly verbose?: true;
}

export function addWorkOptions(command: Command): Command {
  return command.option('--concurrency <n>', 'runs at the same time', toCount(1, 256), 4).option(...allowToolsOption('the runs'));
}

export function addReportOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'output format (default: text)').choices([...evalFormats]))
    .option('--output <file>', 'write the report to this file, and a text report to stdout')
    .option('--verbose', 'list the cases that passed in a text report, however many they are')
    .option('--save-baseline', 'write the verdicts to baselines/NAME.json of the config folder, for --against')
    .option('--coverage', 'also show which enum values, tools, defaults and routes the runs have reached (text, json and markdown)');
}

export function readFormat(cli: Cli, { format, json, coverage, output }: ReportOptions & GlobalOptions): EvalFormat {
  if (json && format !== undefined && format !== 'json') throw new UsageError(`Give --json or --format ${format}, not both.`);
  const chosen = json ? 'json' : (format ?? 'text');
  if (coverage && output === undefined && !['text', 'json', 'markdown'].includes(chosen))
    throw new UsageError(
      `--coverage is not part of --format ${chosen}. Choose text, json or markdown, or write the report to a file with --output.`,
    );
  if (chosen === 'json') cli.expectJson();
  return chosen;
}

/** Shows the progress of an eval, and its report. The first interrupt ends the calls under way; what is done is kept and reported. */
export async function followEval(
  cli: Cli,
  place: EvalProject,
  options: WorkOptions & ReportOptions & { readonly format: EvalFormat },
  begin: (work: EvalWork) => Promise<EvalReport>,
): Promise<void> {
  const { terminal } = cli;
  const { signal, release } = catchInterrupts(terminal);
  let report: EvalReport;
  try {
    report = await begin({
      concurrency: options.concurrency,
      approve: approveTools(readAllowedTools(options.allowTools)),
      signal,
      onForecast(forecast) {
        terminal.note(`${forecastWords(forecast)}.`);
      },
      onProgress({ done, total, passed, failed, unknown, spent, spent_incomplete }) {
        const counts = [`${passed} passed`, `${failed} failed`, ...(unknown > 0 ? [`${unknown} unknown`] : [])];
        terminal.progress(`${done} of ${total} runs: ${counts.join(', ')}; ${spent_incomplete ? 'at least ' : ''}${usdText(spent)} so far`);
      },
    });
  } finally {
    release();
    await place.project.flush();
  }
  await showReport(cli, place, report, options, signal.aborted);
}

/** Prints a report, or writes it to a file, and sets the exit code. @param isCancelled whether the eval was */
export async function showReport(
  cli: Cli,
  place: EvalProject,
  evaluated: EvalReport,
  { format, output, verbose, saveBaseline, coverage }: ReportOptions & { readonly format: EvalFormat },
  isCancelled = false,
): Promise<void> {
  const { terminal, project, name } = cli;
  if (project === undefined) throw new Error('A report needs its project.');
  const report: EvalReport = coverage ? { ...evaluated, coverage: await coverageOfEval(place, evaluated.eval_id) } : evaluated;
  const context = { project, styles: terminal.out, name, isVerbose: verbose };
  const paidFor = async <Done>(what: string, option: string, write: () => Done | Promise<Done>): Promise<Done> => {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const advice = `\`${name} eval grade ${report.eval_id} ${option}\` writes it without a call.`;
      throw new StorageError(`${what}: ${error.message} ${advice}`, { cause: error, eval_id: report.eval_id });
    }
  };
  if (output === undefined) {
    terminal.print(await formatReport(report, format, context));
    if (format === 'json') cli.hasPrintedJson();
  } else {
    // The findings are reported before writing a file can fail.
    terminal.print(await textReport(report, context));
    const plain = { ...context, styles: createStyles('plain') };
    const text = cli.knownSecrets.cover(await formatReport(report, format, plain));
    const file = openNamedFile(project.root, output, cli.cwd);
    await paidFor(`--output ${output} was not written`, '--output FILE', () => file.write(`${text}\n`));
  }
  if (saveBaseline && isCancelled) terminal.note('No baseline was written, since the eval was cancelled.');
  else if (saveBaseline)
    for (const saved of await paidFor('The baseline was not written', '--save-baseline', () => saveEval(place, report)))
      terminal.note(savedWords(saved));
  if (isCancelled) terminal.note(`Cancelled: what was done is kept. Continue with \`${name} eval resume ${report.eval_id}\`.`);
  else if (report.runs.unknown > 0)
    terminal.note(`\`${name} eval resume ${report.eval_id}\` asks again what could not be asked, and nothing else.`);
  cli.exit(isCancelled ? exitCodes.cancelled : exitCodeOf(report));
}

function savedWords({ path, saved, kept, removed }: SavedBaseline): string {
  const parts = [
    `${plural(saved, 'verdict')} saved`,
    ...(kept > 0 ? [`${kept} kept`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
  return `${path}: ${parts.join(', ')}.`;
}

function exitCodeOf({ outcome, baseline }: EvalReport): ExitCode {
  if (outcome === 'failed' || baseline?.verdict === 'worse') return exitCodes.failed;
  return outcome === 'unknown' ? exitCodes.unknown : exitCodes.ok;
}
