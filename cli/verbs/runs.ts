import { InvalidArgumentError } from 'commander';
import { plural } from '../../core/plural.js';
import { listRunIds, readRun, readRunSummary } from '../../core/run/readRuns.js';
import type { RunSummary } from '../../core/run/runSummary.js';
import { visibleText } from '../../core/visibleText.js';
import type { Cli, GlobalOptions, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { findRun } from '../findRun.js';
import { locateProject } from '../project.js';
import { runPage } from '../reports/runPage.js';
import { cutLine } from '../terminal/fold.js';
import { usdText } from '../usd.js';
import { runsDelete } from './runsDelete.js';
import { runsPrune } from './runsPrune.js';
import { runsResume } from './runsResume.js';
import { runsUnlock } from './runsUnlock.js';
import { runsVerify } from './runsVerify.js';

interface ListOptions extends GlobalOptions {
  readonly agent?: string;
  readonly limit?: number;
}

export const runs: VerbSetup = (command, cli) => {
  command.addHelpText('after', () =>
    example(cli, [
      'runs list',
      'runs list --agent A2 --limit 5',
      'runs show last',
      'runs show 0193f1c2 --json',
      'runs resume last',
      'runs prune --older-than 30d --dry-run',
    ]),
  );
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
    .option('--agent <name>', 'runs of this agent or orchestration only')
    .option('--limit <n>', 'at most so many (default: 20)', toCount)
    .action(async () => {
      const options = list.optsWithGlobals<ListOptions>();
      if (options.json) cli.expectJson();
      await listRuns(cli, options);
    });
  const show = command
    .command('show')
    .summary('show one run: what it did, what it took, how it ended')
    .description('Show one run: what it did, what it took, how it ended.')
    .argument('<id>', 'id of the run, its beginning, or "last"');
  show.action(async (id: string) => {
    const options = show.optsWithGlobals<GlobalOptions>();
    if (options.json) cli.expectJson();
    const { files } = locateProject(cli, options);
    const run = await readRun(files, await findRun(files, id));
    if (options.json) cli.terminal.print(JSON.stringify(run, null, 2));
    else cli.terminal.print(runPage(run, cli.terminal.out, cli.terminal.columns));
  });
};

async function listRuns(cli: Cli, options: ListOptions): Promise<void> {
  const { files } = locateProject(cli, options);
  const { agent, limit = 20 } = options;
  const ids = await listRunIds(files);
  const found: RunSummary[] = [];
  let more = 0;
  for (const [index, id] of ids.entries()) {
    if (found.length === limit) {
      more = ids.length - index;
      break;
    }
    const summary = await readRunSummary(files, id);
    if (agent === undefined || summary.name === agent) found.push(summary);
  }
  if (options.json) {
    cli.terminal.print(JSON.stringify({ runs: found }, null, 2));
    return;
  }
  const { out, columns } = cli.terminal;
  for (const run of found) cli.terminal.print(line(run, out, columns));
  if (found.length === 0)
    cli.terminal.note(ids.length === 0 ? 'There are no runs yet.' : `${agent} has no runs among ${plural(ids.length, 'run')}.`);
  else if (more > 0) cli.terminal.note(`${more} older: --limit ${limit * 5}`);
}

function line(
  { run_id, state, can_resume, on_workers, started, name, version, duration_ms, total_tokens, cost, simulated, error, problem }: RunSummary,
  styles: Cli['terminal']['out'],
  columns: number,
): string {
  const colour = { completed: styles.green, failed: styles.red, broken: styles.red, cancelled: styles.yellow, open: styles.cyan }[state];
  const time = started === null ? ''.padEnd(16) : new Date(started).toISOString().slice(0, 16).replace('T', ' ');
  const facts = [
    visibleText(name === null ? '?' : version === null ? name : `${name}@${version}`),
    ...(duration_ms === null ? [] : [duration_ms < 1000 ? `${Math.round(duration_ms)} ms` : `${(duration_ms / 1000).toFixed(1)} s`]),
    ...(total_tokens === null ? [] : [`${total_tokens} tokens`]),
    ...(simulated ? ['simulated'] : cost === null ? [] : [usdText(cost)]),
    ...(can_resume ? ['can be resumed'] : []),
    ...(on_workers ? ['on workers'] : []),
  ].join('  ');
  // What went wrong may be long; the numbers are what the list is for.
  const fault = [...(error === null ? [] : [`${error.code}: ${error.message}`]), ...(problem === null ? [] : [problem])].join('  ');
  const head = `${run_id}  ${time}  `;
  const line = `${head}${colour(state.padEnd(9))}  ${facts}`;
  return fault === '' ? line : `${line}  ${cutLine(fault, columns - head.length - 13 - facts.length)}`;
}

function toCount(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('Expected a whole number above 0.');
  return Number(value);
}
