import { type Command, Option } from 'commander';
import { usdText } from '../core/amounts.js';
import { StorageError } from '../core/errors.js';
import type { Coverable } from '../core/eval/coverage/agentCoverage.js';
import { forecastWords } from '../core/eval/report/baselineWords.js';
import type { EvalReport } from '../core/generated/types.js';
import { openNamedFile } from '../core/node/namedFiles.js';
import { FileProblem } from '../core/ports.js';
import type { SavedBaseline } from '../core/project/baselines.js';
import type { EvalWork } from '../core/project/evals.js';
import type { Project } from '../core/project/types.js';
import { plural } from '../core/words.js';
import { type Cli, type ExitCode, exitCodes, type GlobalOptions, UsageError } from './cli.js';
import { catchInterrupts } from './interrupt.js';
import { toCount } from './optionValues.js';
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
  return command
    .option('--concurrency <n>', 'runs at the same time', toCount(1, 256), 4)
    .option(
      '--allow-tools [names]',
      'let the runs call these tools of MCP servers (TOOL or SERVER/TOOL, with commas between; * for any characters; all without names)',
    );
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

/** Shows how far an eval is, to its end. The first interrupt ends the calls under way; what is done is kept and reported. */
export async function followEval(
  { terminal }: Cli,
  project: Pick<Project, 'flush'>,
  concurrency: number,
  begin: (work: Omit<EvalWork, 'approve'>) => Promise<EvalReport>,
): Promise<{ readonly report: EvalReport; readonly isCancelled: boolean }> {
  const { signal, release } = catchInterrupts(terminal);
  try {
    const report = await begin({
      concurrency,
      signal,
      onForecast(forecast) {
        terminal.note(`${forecastWords(forecast)}.`);
      },
      onProgress({ done, total, passed, failed, unknown, spent, spent_incomplete }) {
        const counts = [`${passed} passed`, `${failed} failed`, ...(unknown > 0 ? [`${unknown} unknown`] : [])];
        terminal.progress(`${done} of ${total} runs: ${counts.join(', ')}; ${spent_incomplete ? 'at least ' : ''}${usdText(spent)} so far`);
      },
    });
    return { report, isCancelled: signal.aborted };
  } finally {
    release();
    await project.flush();
  }
}

interface Shown {
  readonly format: EvalFormat;
  readonly output: string | undefined;
  readonly isCancelled: boolean;
  readonly isVerbose: boolean | undefined;
  /** What the runs of an eval have reached, with `--coverage`. */
  readonly coverage?: ((eval_id: string) => Promise<readonly Coverable[]>) | undefined;
  /** Writes the verdicts into baselines, with `--save-baseline`. */
  readonly save?: ((report: EvalReport) => Promise<readonly SavedBaseline[]>) | undefined;
}

/** Prints a report, or writes it to a file, and sets the exit code. */
export async function showReport(
  cli: Cli,
  evaluated: EvalReport,
  { format, output, isCancelled, isVerbose, save, coverage }: Shown,
): Promise<void> {
  const { terminal, project, name } = cli;
  if (project === undefined) throw new Error('A report needs its project.');
  const report: EvalReport = coverage === undefined ? evaluated : { ...evaluated, coverage: await coverage(evaluated.eval_id) };
  const context = { project, styles: terminal.out, name, isVerbose };
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
  if (save !== undefined && isCancelled) terminal.note('No baseline was written, since the eval was cancelled.');
  else if (save !== undefined)
    for (const saved of await paidFor('The baseline was not written', '--save-baseline', () => save(report)))
      terminal.note(savedWords(saved));
  if (isCancelled) terminal.note(`Cancelled: what was done is kept. Go on with \`${name} eval resume ${report.eval_id}\`.`);
  else if (report.runs.unknown > 0)
    terminal.note(`What could not be asked is asked again by \`${name} eval resume ${report.eval_id}\`; the rest is not.`);
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
