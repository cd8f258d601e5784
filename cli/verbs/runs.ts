import { Option } from 'commander';
import { roundedUsd, usdText } from '../../core/amounts.js';
import { listRunIds, readRun, readRunFiles, runsFolder } from '../../core/run/readRuns.js';
import { containsText, fitsSummary, type RunFilter } from '../../core/run/runFilter.js';
import type { RunState, RunSummary } from '../../core/run/runSummary.js';
import { isLeast, type Spending, spendingBy, spendingKeys, sumSpending } from '../../core/run/spending.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { type Cli, example, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { findRun } from '../findRun.js';
import { addPrune, addUnlock, openKeptRuns, reportDeletedRuns } from '../kept.js';
import { toAge, toCount } from '../optionValues.js';
import { locateProject } from '../project.js';
import { runPage } from '../reports/runPage.js';
import { createRunRow } from '../reports/runRow.js';
import { runsCompare } from './runsCompare.js';
import { runsDelete } from './runsDelete.js';
import { runsResume } from './runsResume.js';
import { runsVerify } from './runsVerify.js';

const states: readonly RunState[] = ['completed', 'partial', 'failed', 'cancelled', 'open', 'broken'];

interface ListOptions extends GlobalOptions {
  readonly agent?: string;
  readonly status?: RunState;
  readonly case?: string;
  readonly llm?: string;
  /** Milliseconds. */
  readonly since?: number;
  readonly search?: string;
  readonly limit?: number;
  readonly by?: keyof typeof spendingKeys;
}

export const runs: VerbSetup = (command, cli) => {
  command.addHelpText('after', () =>
    example(cli, [
      'runs list',
      'runs list --agent A2 --limit 5',
      'runs show last',
      'runs show 0193f1c2 --json',
      'runs compare 0193f1c2 last',
      'runs resume last',
      'runs prune --older-than 30d --dry-run',
    ]),
  );
  runsCompare(command.command('compare'), cli);
  runsResume(command.command('resume'), cli);
  runsVerify(command.command('verify'), cli);
  runsUnlock(command.command('unlock'), cli);
  runsDelete(command.command('delete'), cli);
  runsPrune(command.command('prune'), cli);
  const list = command
    .command('list')
    .summary('list the runs of the project, newest first')
    .description('List the runs of the project, newest first.');
  list
    .addHelpText('after', () => example(cli, ['runs list', 'runs list --agent A2 --limit 5', 'runs list --since 30d --by agent']))
    .option('--agent <name>', 'runs of this agent or orchestration only')
    .addOption(new Option('--status <status>', 'runs that ended so only').choices(states))
    .option('--case <name>', 'runs with this case only')
    .option('--llm <id>', 'runs with this llm profile only')
    .option('--since <age>', 'only runs started within this time: 90m, 12h, 30d, 8w', toAge)
    .option('--search <text>', 'runs with this text in their input, answer, error or names only')
    .option('--limit <n>', 'at most this many (default: 20; with --by all)', toCount(1))
    .addOption(new Option('--by <what>', 'instead of the runs, what they cost together').choices(Object.keys(spendingKeys)))
    .action(async () => {
      const options = readOptions<ListOptions>(cli, list);
      await listRuns(cli, options);
    });
  const show = command
    .command('show')
    .summary('show one run: its steps, cost and result')
    .description('Show one run: its steps, cost and result.')
    .argument('<id>', 'id of the run, its beginning, or "last"')
    .addHelpText('after', () => example(cli, ['runs show last', 'runs show 0193f1c2 --json']));
  show.action(async (id: string) => {
    const options = readOptions<GlobalOptions>(cli, show);
    const { files } = locateProject(cli, options);
    const run = await readRun(files, await findRun(files, id));
    if (options.json) cli.terminal.print(toSafeJson(run));
    else cli.terminal.print(runPage(run, cli.terminal.out, cli.terminal.columns));
  });
};

async function listRuns(cli: Cli, options: ListOptions): Promise<void> {
  const { files } = locateProject(cli, options);
  const { by, limit = by === undefined ? 20 : Number.POSITIVE_INFINITY, search } = options;
  const filter = filterOf(options);
  const ids = await listRunIds(files);
  const summaries: RunSummary[] = [];
  let more = 0;
  for (const [index, id] of ids.entries()) {
    if (summaries.length === limit) {
      more = ids.length - index;
      break;
    }
    const run = await readRunFiles(files, id);
    if (fitsSummary(run.summary, filter) && (search === undefined || containsText(run, search))) summaries.push(run.summary);
  }
  if (by !== undefined) return printSums(cli, summaries, by, options);
  if (options.json) {
    cli.terminal.print(toSafeJson({ runs: summaries }));
    return;
  }
  const row = createRunRow(ids, cli.terminal);
  for (const run of summaries) cli.terminal.print(row(run));
  if (summaries.length === 0) cli.terminal.note(ids.length === 0 ? 'There are no runs yet.' : `None of ${plural(ids.length, 'run')} fits.`);
  else if (more > 0) cli.terminal.note(`${more} older: --limit ${limit * 5}`);
}

function printSums({ terminal }: Cli, runs: readonly RunSummary[], by: keyof typeof spendingKeys, { json }: ListOptions): void {
  const sums = [...spendingBy(runs, by)];
  const total = sumSpending(runs);
  if (json) {
    const sumOf = ({ cost, ...counts }: Spending) => ({ ...counts, cost_usd: roundedUsd(cost) });
    terminal.print(toSafeJson({ sums: sums.map(([key, sum]) => ({ [by]: key, ...sumOf(sum) })), total: sumOf(total) }));
    return;
  }
  const rows = [...sums.map(([key, sum]) => [visibleText(key ?? '?'), sum] as const), ['total', total] as const].map(([key, sum]) => [
    key,
    plural(sum.runs, 'run'),
    `${isLeast(sum) ? 'at least ' : ''}${usdText(sum.cost)}`,
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const [key = '', count = '', cost = ''] of rows)
    terminal.print(`${key.padEnd(widths[0] ?? 0)}  ${count.padStart(widths[1] ?? 0)}  ${cost}`);
}

function filterOf({ agent, status, case: sample, llm, since }: ListOptions): RunFilter {
  return {
    ...(agent !== undefined && { agents: [agent] }),
    ...(status !== undefined && { states: [status] }),
    ...(sample !== undefined && { cases: [sample] }),
    ...(llm !== undefined && { profiles: [llm] }),
    ...(since !== undefined && { since: Date.now() - since }),
  };
}

const runsPrune: VerbSetup = (command, cli) => {
  command
    .summary('delete old runs')
    .description(
      'Delete runs that have ended and are old, and the journals that no run needs any more. A run that some process has is left alone.',
    );
  addPrune(command, cli, {
    command: 'runs',
    noun: 'run',
    keep: 100,
    unfinished: ', or were interrupted',
    open: openKeptRuns,
    async tell(report, store) {
      reportDeletedRuns(cli, report, report.isDryRun ? { deleted: [], problem: null } : await store.deleteJournals());
    },
  });
};

const runsUnlock: VerbSetup = (command, cli) =>
  addUnlock(command, cli, { command: 'runs', noun: 'run', keptIn: runsFolder, find: findRun });
