import { InvalidArgumentError, Option } from 'commander';
import { dayOf } from '../../core/day.js';
import type { Migration } from '../../core/generated/types.js';
import { environmentsOf } from '../../core/migrate/agentUses.js';
import { countOutcomes, priceWords } from '../../core/migrate/migrationWords.js';
import { type MigrationPlan, planMigration } from '../../core/migrate/planMigration.js';
import { writeMigration } from '../../core/migrate/writeMigration.js';
import { createNodeClock } from '../../core/node/nodePorts.js';
import { tidyTemporaries } from '../../core/node/temporaryFiles.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { listed, plural } from '../../core/words.js';
import { askYes, mayAsk } from '../askYes.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { type Cli, type ExitCode, example, exitCodes, type GlobalOptions, type OpenProject, UsageError, type VerbSetup } from '../cli.js';
import { colouredDiff } from '../fixProject.js';
import { evaluate } from '../migrateEval.js';
import { openCliProject } from '../openCliProject.js';
import { allowToolsOption, parseUsd, toCount } from '../optionValues.js';
import { locateProject } from '../project.js';
import { type MigrateView, migrateMarkdown, migrateText } from '../reports/migrate.js';
import { unifiedDiff } from '../reports/unifiedDiff.js';

interface MigrateOptions extends GlobalOptions {
  readonly from?: string;
  readonly to?: string;
  readonly environment?: string;
  readonly apply?: true;
  readonly yes?: true;
  /** A share: 0.2 is 20 % dearer. */
  readonly maxPriceChange?: number;
  readonly allowUnknown?: true;
  readonly eval?: true;
  /** From 0 to 1. */
  readonly margin: number;
  readonly repeats?: number;
  /** USD. */
  readonly maxCost?: number;
  readonly concurrency: number;
  readonly allowTools?: string | true;
  readonly format?: 'text' | 'markdown' | 'json';
}

export const migrate: VerbSetup = (command, cli) => {
  command
    .argument('[subject...]', 'agents and orchestrations: NAME or NAME@VERSION (default: all)')
    .option('--from <model>', 'the model to replace (default: every one that its provider ends)')
    .option('--to <model>', 'the model that replaces it (default: the successor that its provider names)')
    .option('--env, --environment <name>', 'replace models that agents have in this environment (default: in any)')
    .option('--apply', 'write the files, after asking with the prices')
    .option('--yes', 'with --apply: write without asking; needs --max-price-change')
    .option('--max-price-change <percent>', 'with --apply: refuse where a price rises by more than this', toPercent)
    .option('--allow-unknown', 'with --apply: also write where facts about the new model are missing')
    .option(
      '--eval',
      'ask the cases of the agents with the old and the new model, after asking with the cost, and say where it is not worse',
    )
    .option(
      '--margin <points>',
      'drop of the pass rate, in percentage points, below which the new model counts as not worse',
      toMargin,
      0.1,
    )
    .option('--repeats <n>', 'with --eval: run each case so often, in place of its own "repeats"', toCount(1, 9999))
    .option('--max-cost <usd>', 'with --eval: ask without a question, and make no call that could take its cost above this', parseUsd)
    .option('--concurrency <n>', 'with --eval: runs at the same time', toCount(1, 256), 4)
    .option(...allowToolsOption('the runs'))
    .addOption(new Option('--format <format>', 'output format (default: text)').choices(['text', 'markdown', 'json']))
    .addHelpText('after', () =>
      example(cli, [
        'migrate',
        'migrate --from gpt-4o --to gpt-5.4-mini',
        'migrate A2 --to gpt-5.4-mini --apply',
        'migrate --apply --yes --max-price-change 0',
        'migrate --eval --max-cost 2 --format markdown',
      ]),
    )
    .addHelpText(
      'after',
      '\nWithout --apply nothing is written. Exit codes: 0 the new model fits everywhere, 1 it does not fit an agent or is worse, 2 nothing was done, ' +
        '3 facts are missing for an agent, or its cases cannot tell.',
    )
    .action(async (subjects: string[]) => {
      cli.exit(await runMigrate(cli, subjects, command.optsWithGlobals<MigrateOptions>()));
    });
};

function toMargin(value: string): number {
  const points = Number(value.replace(/\s*%$/, ''));
  if (!/^\d{1,2}(?:\.\d{1,3})?\s*%?$/.test(value) || points < 1 || points > 50)
    throw new InvalidArgumentError('Expected percentage points from 1 to 50, such as 10.');
  return points / 100;
}

function toPercent(value: string): number {
  if (!/^\d{1,4}(?:\.\d{1,3})?\s*%?$/.test(value)) throw new InvalidArgumentError('Expected a percentage such as 20.');
  return Number.parseFloat(value) / 100;
}

async function runMigrate(cli: Cli, subjects: readonly string[], options: MigrateOptions): Promise<ExitCode> {
  const { terminal } = cli;
  const { from, to, environment, apply = false } = options;
  if (options.json && options.format !== undefined && options.format !== 'json')
    throw new UsageError(`Give --json or --format ${options.format}, not both.`);
  const format = options.json ? 'json' : (options.format ?? 'text');
  if (format === 'json') cli.expectJson();
  if (!apply && (options.yes || options.maxPriceChange !== undefined))
    throw new UsageError('--yes and --max-price-change go with --apply.');
  if (apply && options.yes && options.maxPriceChange === undefined)
    throw new UsageError('--yes needs --max-price-change PERCENT: no model becomes dearer without a word about it.');
  if ([from, to].some((name) => name?.trim() === '')) throw new UsageError('--from and --to need the name of a model.');
  if (from !== undefined && from === to) throw new UsageError('--from and --to are the same model.');
  const project = locateProject(cli, options);
  const index = await openCliProject(cli, project.root, { code: 'reported' }).index();
  checkEnvironment(index, environment);
  const { files, variables } = project;
  const plan = await planMigration({
    files,
    index,
    variables,
    from,
    to,
    subjects,
    environment,
    allow_unknown: options.allowUnknown ?? false,
  });
  if (plan.missing.length > 0) {
    const unread = plan.unread.length === 0 ? '' : ` Not read: ${plan.unread.join(', ')}.`;
    throw new UsageError(visibleText(`No agent or orchestration that names a model is called ${listed(plan.missing, 'or')}.${unread}`));
  }
  if (plan.moves.length === 0) return nothingToMove(cli, plan, options, subjects);
  const view = { project, environments: environmentsOf(index).length, asOf: dayOf(createNodeClock().now()) };
  if (!options.eval && (options.maxCost !== undefined || options.repeats !== undefined))
    throw new UsageError('--max-cost and --repeats go with --eval.');
  let report = reportOf(plan, project, false);
  const print = () => printReport(cli, view, report, format);
  const refuse = () => {
    const refusal = apply ? refusalOf(cli, report, options) : undefined;
    if (refusal === undefined) return;
    print();
    throw new UsageError(`${refusal} Nothing was written.`);
  };
  // What the prices refuse is said before cases are paid for.
  refuse();
  if (options.eval) {
    report = { ...report, eval: await evaluate(cli, project.root, plan, report.moves, options) };
    refuse();
  }
  // The question refers to it; as JSON it comes once, with what was done.
  if (format !== 'json') print();
  if (apply && report.files.length > 0 && (options.yes || (await askPrices(cli, report)))) {
    tidyTemporaries(project.root, index.settings.config_dir);
    await writeMigration(files, plan.changes);
    report = { ...report, applied: true };
  }
  if (format === 'json') print();
  const count = plural(report.files.length, 'file');
  if (report.applied) terminal.note(`Wrote ${count}.`);
  else
    terminal.note(
      report.files.length === 0
        ? 'There is nothing to write.'
        : `Nothing was written. ${apply ? '' : `--apply would write ${count}.`}`.trim(),
    );
  return exitCodeOf(report);
}

function exitCodeOf({ counts, moves, unread, eval: evaluated }: Migration): ExitCode {
  const verdicts = evaluated?.comparisons.map(({ verdict }) => verdict) ?? [];
  const isLeft = moves.some(({ places, uses }) => uses.length === 0 && places.some(({ write }) => write === 'left'));
  if (counts.does_not_fit > 0 || verdicts.includes('worse')) return exitCodes.failed;
  return counts.not_known > 0 || unread.length > 0 || isLeft || verdicts.includes('cannot_tell') ? exitCodes.unknown : exitCodes.ok;
}

/** Why nothing is written, in sentences. */
function refusalOf(
  cli: Cli,
  { files, price_change: change, eval: evaluated }: Migration,
  { yes, maxPriceChange: most, allowUnknown }: MigrateOptions,
): string | undefined {
  if (files.length === 0) return undefined;
  if (most !== undefined && change === null)
    return 'A price is not known, so --max-price-change cannot hold. Add it to "models" in agentstack.json.';
  if (most !== undefined && change !== null && change > most + 1e-9)
    return `${priceWords(change)} That is more than --max-price-change allows.`;
  if (!yes && !mayAsk(cli))
    return `--apply asks before it writes, and no one can answer here. ${priceWords(change)} Give --yes with --max-price-change PERCENT.`;
  const comparisons = evaluated?.comparisons ?? [];
  const open = comparisons.filter(({ verdict }) => verdict === 'worse' || (yes && verdict === 'cannot_tell' && !allowUnknown));
  if (open.length === 0) return undefined;
  const names = open.map(({ subject, verdict }) => `${subject} ${verdict === 'worse' ? 'is worse' : 'cannot be told'}`).join(', ');
  return `${names} with the new model: migrate the others by name${yes ? ', or give --allow-unknown for what cannot be told' : ''}.`;
}

/** Prices are part of the question. */
function askPrices(cli: Cli, { files, price_change: change }: Migration): Promise<boolean> {
  cli.terminal.endLine();
  return askYes(cli, `${priceWords(change)} Write ${plural(files.length, 'file')}?`);
}

/** @throws UsageError for a model or a subject that is nowhere */
async function nothingToMove(
  cli: Cli,
  { unread, used }: MigrationPlan,
  { from, json, format }: MigrateOptions,
  subjects: readonly string[],
): Promise<ExitCode> {
  const { terminal } = cli;
  const names = used.length === 0 ? 'No agent names a model.' : `In use: ${used.join(', ')}.`;
  const broken = unread.length === 0 ? '' : ` Not read: ${unread.join(', ')}.`;
  if (from !== undefined)
    throw new UsageError(
      visibleText(`${subjects.length === 0 ? 'Nothing here' : `Nothing of ${subjects.join(', ')}`} uses ${from}. ${names}${broken}`),
    );
  if (json || format === 'json') {
    terminal.print(toSafeJson(emptyReport(unread)));
    cli.hasPrintedJson();
  }
  terminal.note(
    visibleText(`No model in use${subjects.length === 0 ? '' : ` by ${subjects.join(', ')}`} is known to end. ${names}${broken}`),
  );
  return unread.length > 0 ? exitCodes.unknown : exitCodes.ok;
}

function emptyReport(unread: readonly string[]): Migration {
  return {
    format: 1,
    applied: false,
    counts: { fits: 0, does_not_fit: 0, not_known: 0 },
    price_change: 0,
    moves: [],
    files: [],
    unread: [...unread],
    eval: null,
  };
}

function reportOf({ moves, changes, parameters, price_change, unread }: MigrationPlan, project: OpenProject, applied: boolean): Migration {
  return {
    format: 1,
    applied,
    counts: countOutcomes(moves),
    price_change,
    moves: [...moves],
    files: changes.map(({ file, before, after, action }) => ({
      file,
      action,
      notes: parameters.flatMap((edit) => (edit.file === file ? [edit.note] : [])),
      diff: `${unifiedDiff(project.shownPath(file), before, after).join('\n')}\n`,
    })),
    unread: [...unread],
    eval: null,
  };
}

function printReport(cli: Cli, view: MigrateView, report: Migration, format: 'text' | 'markdown' | 'json'): void {
  const { terminal } = cli;
  if (format === 'markdown') {
    terminal.print(migrateMarkdown(report, view));
    return;
  }
  if (format === 'json') {
    terminal.print(toSafeJson(report));
    cli.hasPrintedJson();
    return;
  }
  terminal.print(migrateText(report, view, terminal.out));
  for (const { diff } of report.files) terminal.print(`\n${colouredDiff(diff.trimEnd().split('\n'), terminal.out)}`);
}
