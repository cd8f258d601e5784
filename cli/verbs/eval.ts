import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { forecastWords } from '../../core/eval/report/baselineWords.js';
import { evalsFolder, findEval } from '../../core/eval/runner/evalStore.js';
import { estimateEval, gradeEval, type NewEval, resumeEval, startEval } from '../../core/project/evals.js';
import { type CompareOptions, defaultCanaries, defaultMaxAgeDays } from '../../core/project/planEval.js';
import { toSafeJson } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { checkProfile } from '../agentCall.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, example, type GlobalOptions, UsageError, type VerbSetup } from '../cli.js';
import { addReportOptions, addWorkOptions, followEval, type ReportOptions, readFormat, showReport, type WorkOptions } from '../evalWork.js';
import { addPrune, addUnlock, openKeptEvals } from '../kept.js';
import { openEvalProject } from '../openCliProject.js';
import { environmentOption, parseUsd, toCount, unpricedOption } from '../optionValues.js';
import { locateProject } from '../project.js';
import { evalList } from './evalList.js';

interface EvalOptions extends GlobalOptions, WorkOptions, ReportOptions {
  readonly tags?: readonly string[];
  readonly llm?: readonly string[];
  readonly environment?: string;
  readonly repeats?: number;
  /** USD. */
  readonly maxCost?: number;
  readonly allowUnpriced?: true;
  readonly record?: string;
  readonly replay?: string;
  readonly against?: string;
  readonly maxAgeDays?: number;
  /** Share from 0 to 1. */
  readonly canaries?: number;
  readonly estimate?: true;
}

export const evalVerb: VerbSetup = (command, cli) => {
  evalResume(command.command('resume'), cli);
  evalGrade(command.command('grade'), cli);
  evalList(command.command('list'), cli);
  evalPrune(command.command('prune'), cli);
  evalUnlock(command.command('unlock'), cli);
  addOwnOptions(command)
    .addHelpText('after', () =>
      example(cli, [
        'eval',
        'eval A2 --repeats 5 --max-cost 0.50',
        'eval A2/parser --llm openai,claude',
        'eval --tags smoke --format junit --output results.xml',
        'eval --save-baseline',
        'eval --against origin/main --max-cost 0.50',
        'eval resume last',
        'eval grade last --coverage',
        'eval prune --older-than 30d',
      ]),
    )
    .addHelpText(
      'after',
      '\nResults are kept in .agentstack/evals as they come, ' +
        'so that `eval resume` repeats no call and `eval grade` judges them again without any.\n' +
        'Exit codes: 0 every case passed, 1 one failed or the pass rate is worse than the baseline, ' +
        '2 nothing was asked: wrong usage, no case; 3 none failed, and one could not be judged; 130 cancelled.',
    )
    .action(async (names: string[]) => {
      const options = command.optsWithGlobals<EvalOptions>();
      const format = readFormat(cli, options);
      if (options.record !== undefined && options.replay !== undefined) throw new UsageError('Give --record or --replay, not both.');
      if (options.saveBaseline && options.replay !== undefined)
        throw new UsageError(
          '--save-baseline does not go with --replay: the verdicts would be as old as the recordings. Leave one of them out.',
        );
      if (options.against === undefined && (options.maxAgeDays !== undefined || options.canaries !== undefined))
        throw new UsageError('--max-age-days and --canaries say what --against carries over. Add --against REF.');
      const { root } = locateProject(cli, options);
      const place = openEvalProject(cli, root, options);
      const index = await place.project.index();
      checkEnvironment(index, options.environment);
      const llms = [...new Set(options.llm ?? [])];
      for (const llm of llms) checkProfile(index, llm);
      const wanted: NewEval = {
        names: names.map((name) => toName(cli, name)),
        tags: options.tags ?? [],
        repeats: options.repeats,
        llms,
        max_cost: options.maxCost,
        allow_unpriced: options.allowUnpriced,
        record: folderOf(cli, options.record),
        replay: folderOf(cli, options.replay),
        against: options.against === undefined ? undefined : toComparison(options.against, options),
        save_baseline: options.saveBaseline,
      };
      if (options.estimate) {
        const forecast = await estimateEval(place, wanted);
        cli.terminal.print(format === 'json' ? toSafeJson(forecast) : forecastWords(forecast));
        if (format === 'json') cli.hasPrintedJson();
        return;
      }
      await followEval(cli, place, { ...options, format }, (work) => startEval(place, wanted, work));
    });
};

function addOwnOptions(command: Command): Command {
  command
    .argument('[name...]', 'agents, orchestrations or cases: NAME, NAME@VERSION, NAME/CASE, or a payload file (default: all with "expect")')
    .option('--tags <tags>', 'cases with one of these tags only, with commas between', toList)
    .option('--llm <ids>', 'ask with these llm profiles, with commas between, and compare each with the first', toList)
    .option('--repeats <n>', 'run each case so often, in place of its own "repeats"', toCount(1, 9999))
    .option('--max-cost <usd>', 'make no model call that could take the cost of the whole eval above this', parseUsd)
    .option(...unpricedOption)
    .option(...environmentOption)
    .option('--record <dir>', 'write the model and tool exchanges of each run to a file in this folder, without secrets')
    .option('--replay <dir>', 'answer from such a folder: no model, no tool, no key')
    .option('--against <ref|file>', 'compare with the baselines of a git ref, a file or a folder, and ask only what changed since')
    .option('--max-age-days <n>', `ask again where the verdict is older (default: ${defaultMaxAgeDays})`, toCount(0, 9999))
    .option(
      '--canaries <percent>',
      `share of what is carried over that is asked again, in percent (default: ${defaultCanaries * 100})`,
      toShare,
    )
    .option('--estimate', 'say what would be asked and what that costs at most, and ask nothing');
  return addReportOptions(addWorkOptions(command));
}

function toComparison(source: string, { maxAgeDays: max_age_days, canaries }: EvalOptions): CompareOptions {
  return { source, max_age_days, canaries };
}

function folderOf({ cwd }: Cli, folder: string | undefined): string | undefined {
  return folder === undefined ? undefined : resolve(cwd, folder);
}

/** A path of a payload file, from the working directory, as a project path; other names as they are. */
function toName({ cwd, project }: Cli, name: string): string {
  if (!name.endsWith('.json')) return name;
  return project?.toProjectPath(resolve(cwd, name)) ?? name;
}

function toList(value: string, previous: readonly string[] = []): readonly string[] {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...previous, ...names];
}

function toShare(value: string): number {
  const percent = Number(value.replace(/\s*%$/, ''));
  if (!/^\d{1,3}(?:\.\d{1,3})?\s*%?$/.test(value) || percent > 100) throw new InvalidArgumentError('Expected a percentage from 0 to 100.');
  return percent / 100;
}

const evalResume: VerbSetup = (command, cli) => {
  command
    .summary('continue an eval whose process ended, or that was cancelled')
    .description('Continue an eval whose process ended, or that was cancelled. Only what has no answer yet is asked.')
    .argument('<id>', 'id of the eval, its beginning, or "last"');
  addReportOptions(addWorkOptions(command))
    .addHelpText('after', () => example(cli, ['eval resume last']))
    .action(async (id: string) => {
      const options = command.optsWithGlobals<GlobalOptions & WorkOptions & ReportOptions>();
      const format = readFormat(cli, options);
      const { root } = locateProject(cli, options);
      const place = openEvalProject(cli, root, {});
      await followEval(cli, place, { ...options, format }, (work) => resumeEval(place, id, work));
    });
};

const evalGrade: VerbSetup = (command, cli) => {
  command
    .summary('judge the answers of an eval again, without a call')
    .description('Judge the answers of an eval again, with the expectations that the files have now. Nothing is asked and nothing is paid.')
    .argument('<id>', 'id of the eval, its beginning, or "last"');
  addReportOptions(command)
    .addHelpText('after', () => example(cli, ['eval grade last', 'eval grade last --format markdown']))
    .action(async (id: string) => {
      const options = command.optsWithGlobals<GlobalOptions & ReportOptions>();
      const format = readFormat(cli, options);
      const { root } = locateProject(cli, options);
      const place = openEvalProject(cli, root, {});
      await showReport(cli, place, await gradeEval(place, id), { ...options, format });
    });
};

const evalPrune: VerbSetup = (command, cli) => {
  command
    .summary('delete old evals')
    .description(
      'Delete evals that have ended and are old. One that a process has is left alone. Baselines and recordings are not touched.',
    );
  addPrune(command, cli, {
    command: 'eval',
    noun: 'eval',
    keep: 20,
    unfinished: '',
    open: openKeptEvals,
    tell({ deleted, kept, isDryRun, json }) {
      const { terminal } = cli;
      if (json) {
        terminal.print(toSafeJson({ deleted, kept: kept.map(({ id, why }) => ({ eval_id: id, why })), dry_run: isDryRun }));
        return;
      }
      for (const eval_id of deleted) terminal.print(eval_id);
      for (const { id, why } of kept) terminal.note(`${id} is kept: it ${why}.`);
      terminal.note(`${isDryRun ? 'Would delete' : 'Deleted'} ${plural(deleted.length, 'eval')}.`);
    },
  });
};

const evalUnlock: VerbSetup = (command, cli) =>
  addUnlock(command, cli, { command: 'eval', noun: 'eval', keptIn: evalsFolder, find: findEval });
