import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { SharedBudget } from '../../core/agent/sharedBudget.js';
import { usdText } from '../../core/amounts.js';
import { changeFields, type FieldChange } from '../../core/fork/changeFields.js';
import { comparedRuns, type ForkFindings, forkReport, type ToldRun } from '../../core/fork/forkReport.js';
import type { ForkPlan } from '../../core/generated/types.js';
import { agentsOf } from '../../core/project/evalLoader.js';
import { findForkCase, judgeFork } from '../../core/project/forkCase.js';
import type { Fork, ForkRequest, Project } from '../../core/project/types.js';
import { matchesTool } from '../../core/tools/allowedTools.js';
import { isPreapproved } from '../../core/tools/policyReason.js';
import type { ApproveTool } from '../../core/tools/types.js';
import { toSafeJson } from '../../core/visibleText.js';
import { collect } from '../agentCall.js';
import { approveTools, readAllowedTools } from '../allowTools.js';
import { askPolicy, askYes, mayAsk } from '../askYes.js';
import { type Cli, example, exitCodes, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { findRun } from '../findRun.js';
import { readObject } from '../input.js';
import { catchInterrupts } from '../interrupt.js';
import { openCliProject } from '../openCliProject.js';
import { allowToolsOption, environmentOption, parseUsd, toCount, unpricedOption } from '../optionValues.js';
import { locateProject } from '../project.js';
import { forkLines, planLines } from '../reports/forkLines.js';
import { comparisonLines } from './runsCompare.js';

interface ForkOptions extends GlobalOptions {
  readonly with?: readonly string[];
  readonly files?: true;
  readonly times: number;
  readonly concurrency: number;
  readonly input?: string;
  readonly case?: string;
  readonly llm?: string;
  readonly environment?: string;
  /** USD for all forks. */
  readonly maxCost?: number;
  readonly allowUnpriced?: true;
  readonly allowTools?: string | true;
  readonly record?: string;
  readonly keep?: boolean;
  readonly yes?: true;
  readonly dryRun?: true;
}

export const fork: VerbSetup = (command, cli) => {
  command
    .description(
      'Run a kept run or a record again from the first request that a change touches: what comes before is answered by the record, and free. Says first what is live, why, and what it can cost.',
    )
    .argument('<run>', 'id of a run, its beginning, "last", or a file of --record')
    .option(
      '--with <field=value>',
      'change a field without writing it: purpose_text=..., AGENT.field=..., @FILE as value; repeatable',
      collect,
    )
    .option('--files', 'fork with the files as they are now; the default, to which --with is added')
    .option('--times <n>', 'run the live part this often', toCount(1, 100), 1)
    .option('--concurrency <n>', 'forks at the same time', toCount(1, 32), 4)
    .option('--input <file>', 'the input: a JSON file, - for stdin, or the object itself (default: that of the run)')
    .option('--case <name>', 'judge original and forks by the expectations of this case (default: the case of the run)')
    .option('--llm <id>', 'use this llm profile instead of that of the run')
    .option(...environmentOption)
    .option('--max-cost <usd>', 'start no model call that could take the cost of all forks above this', parseUsd)
    .option(...unpricedOption)
    .option(...allowToolsOption('the forks'))
    .option('--record <file>', 'write the exchanges of the fork to a file, those of the record included')
    .option('--no-keep', 'do not keep the forks in .agentstack/runs')
    .option('--dry-run', 'only say what a fork would do')
    .option('--yes', 'fork without asking whether it may cost something')
    .addHelpText('after', () =>
      example(cli, [
        'fork last --dry-run',
        'fork last --with purpose_text="Choose one label." --times 5 --max-cost 0.05',
        'fork 0193f1c2 --with Writer.purpose_text=@drafts/purpose.txt',
        'fork run.jsonl --files --allow-tools=order',
      ]),
    )
    .addHelpText(
      'after',
      '\nTools that are not idempotent are asked about before they are called again; without a terminal they need --allow-tools.\n' +
        'Exit codes: 0 forked, or no request changes; 1 a fork failed; 2 nothing was forked; 130 cancelled.',
    )
    .action(async (written: string) => {
      const options = readOptions<ForkOptions>(cli, command);
      cli.inputHint = '';
      if (options.record !== undefined && options.times > 1) throw new UsageError('--record is for one fork: leave --times out.');
      const { project, request, opened } = await openChanged(cli, written, options);
      const { terminal } = cli;
      const { plan, kind, name, version, run_id, input } = opened;
      const findings: ForkFindings = {
        ...{ plan, kind, name, version, run_id, input, case: null, original: undefined, forks: [] },
        record: request.record === undefined ? null : written,
      };
      if (options.json !== true) for (const line of planLines(findings, options.times, terminal.err)) terminal.note(line);
      if (options.dryRun || plan.places.length === 0) {
        if (options.json) {
          terminal.print(toSafeJson(forkReport(findings)));
          cli.hasPrintedJson();
        }
        return;
      }
      const named = options.case ?? opened.case;
      const expected = named === undefined ? undefined : await findForkCase(project, name, named);
      if (options.case !== undefined && expected === undefined)
        throw new UsageError(`${name} has no case ${JSON.stringify(options.case)} that expects something. Nothing was forked.`);
      await agree(cli, plan, options);
      const { forks, isCancelled } = await runForks(cli, opened, project, options);
      const original = toldOf(await opened.original());
      const results = forks.map(({ result }) => result);
      const verdict = expected === undefined ? null : await judgeFork(expected, original.result, results);
      const all: ForkFindings = { ...findings, original, forks, case: verdict };
      const report = forkReport(all);
      if (options.json) {
        terminal.print(toSafeJson(report));
        cli.hasPrintedJson();
      } else {
        for (const line of forkLines(report, terminal.out, terminal.columns)) terminal.print(line);
        const ids = ['original', ...forks.map((_, index) => `fork ${index + 1}`)].slice(0, mostColumns + 1);
        const comparison = comparedRuns({ ...all, forks: forks.slice(0, mostColumns) });
        for (const line of comparisonLines(comparison, ids, false, terminal.out, terminal.columns)) terminal.print(line);
      }
      cli.exit(isCancelled ? exitCodes.cancelled : results.every(isDone) ? exitCodes.ok : exitCodes.failed);
    });
};

/** Forks that are shown side by side. */
const mostColumns = 3;

function isDone({ status }: RunResult): boolean {
  return status === 'completed' || status === 'partial';
}

interface Opened {
  readonly project: Project;
  readonly request: ForkRequest;
  readonly opened: Fork;
}

async function openChanged(cli: Cli, written: string, options: ForkOptions): Promise<Opened> {
  const located = locateProject(cli, options);
  const { files } = located;
  const { llm, environment, input } = options;
  const project = openCliProject(cli, located.root, environment === undefined ? {} : { environment });
  const path = resolve(cli.cwd, written);
  const request: ForkRequest = {
    ...(existsSync(path) || /[./\\]/.test(written) ? { record: path } : { run_id: await findRun(files, written) }),
    ...(llm !== undefined && { llm }),
    ...(environment !== undefined && { environment_name: environment }),
    ...(input !== undefined && { input: await readObject(input, cli, '--input') }),
  };
  const opened = await project.fork(request);
  if (options.with === undefined) return { project, request, opened };
  const changes: FieldChange[] = [];
  for (const change of options.with) changes.push(await readChange(cli, change));
  const { settings } = await project.index();
  const agents = agentsOf(opened.loaded).map(({ resolved: { config } }) => `${config.agent_name}@${config.version}`);
  const texts = await changeFields(changes, { ...opened, agents }, { files, settings });
  // Errors are shown where they are in the changed texts.
  cli.project = { ...located, hasChangedTexts: true, textOf: async (file) => texts.get(file) ?? located.textOf(file) };
  return { project, request, opened: await project.fork({ ...request, texts }) };
}

/** `field=value`, or `field=@file` with a file of the project. */
async function readChange(cli: Cli, change: string): Promise<FieldChange> {
  const at = change.indexOf('=');
  if (at < 1) throw new UsageError(`--with ${change}: expected FIELD=VALUE, such as purpose_text="Choose one label."`);
  const [path, text] = [change.slice(0, at), change.slice(at + 1)];
  if (!text.startsWith('@')) return { path, text };
  const file = cli.project?.toProjectPath(resolve(cli.cwd, text.slice(1)));
  const read = file === undefined ? undefined : await cli.project?.files.readText(file);
  if (read === undefined) throw new UsageError(`--with ${change}: the file is not in the project.`);
  return { path, text: read.replace(/\r?\n$/, '') };
}

/** Before anything is paid: checks that someone can approve the tools that need it, and asks whether the cost is accepted. @throws UsageError */
async function agree(cli: Cli, { tools, most_cost_usd }: ForkPlan, { allowTools, maxCost, yes, times }: ForkOptions): Promise<void> {
  const allowed = readAllowedTools(allowTools);
  const isAllowed = (name: string) =>
    typeof allowed === 'string'
      ? allowed === 'all'
      : allowed.some((entry) => matchesTool(entry, { name, origin: { type: 'skill' } }) || entry.endsWith(`/${name}`));
  const unsafe = [...new Set(tools.flatMap(({ name, idempotent }) => (idempotent || isAllowed(name) ? [] : [name])))];
  if (unsafe.length > 0 && !mayAsk(cli))
    throw new UsageError(
      `${unsafe.join(', ')} would be called again, which is not idempotent, and no one can answer here. Add --allow-tools=${unsafe.join(',')}, or --dry-run. Nothing was forked.`,
    );
  if (yes || maxCost !== undefined || most_cost_usd === 0) return;
  const most = most_cost_usd === null ? 'an unknown cost' : `at most ${usdText(times * most_cost_usd)}`;
  if (!mayAsk(cli))
    throw new UsageError(
      `Forking asks before it spends (${most}), and no one can answer here. Give --max-cost USD, or --yes. Nothing was forked.`,
    );
  if (!(await askYes(cli, `Fork${times === 1 ? '' : ` ${times} times`}, for ${most}?`))) throw new UsageError('Nothing was forked.');
}

async function runForks(
  cli: Cli,
  opened: Fork,
  project: Project,
  { times, concurrency, maxCost, allowUnpriced, allowTools, record, keep }: ForkOptions,
): Promise<{ readonly forks: readonly ToldRun[]; readonly isCancelled: boolean }> {
  const { terminal } = cli;
  const { signal, release } = catchInterrupts(terminal);
  const { free, live, may_follow } = opened.plan;
  // The recorded calls count too, as in the run; what is paid is limited by the budget that all forks share.
  const recorded = [free, live, may_follow].reduce((sum, { cost_usd }) => sum + (cost_usd ?? 1000), 0);
  const budget = {
    ...(maxCost !== undefined && { max_cost: maxCost + recorded }),
    ...(allowUnpriced && { allow_unpriced: true }),
  };
  const options = {
    signal,
    keep: keep === false ? ('none' as const) : ('folder' as const),
    approve: askAbout(cli, allowTools),
    ...(maxCost !== undefined && { spending: new SharedBudget(maxCost) }),
    ...(Object.keys(budget).length > 0 && { context: { budget } }),
    ...(record !== undefined && { record: resolve(cli.cwd, record) }),
  };
  const forks: ToldRun[] = [];
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < times && !signal.aborted) {
      const index = begun;
      begun += 1;
      const events: AgentEvent[] = [];
      for await (const event of opened.run(options)) {
        events.push(event);
        if (event.type === 'step_start') terminal.progress(`fork ${index + 1} of ${times}: step ${event.step} ...`);
      }
      forks[index] = toldOf(events);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(times, concurrency) }, work));
  } finally {
    release();
    terminal.endLine();
    await project.flush();
  }
  return { forks: forks.filter((told) => told !== undefined), isCancelled: signal.aborted };
}

/** Asks the person at the terminal about each call that the options do not allow; without one, such a call ends the fork. */
function askAbout(cli: Cli, option: string | true | undefined): ApproveTool {
  const allowed = readAllowedTools(option);
  const ask = askPolicy(cli);
  const decide = approveTools(allowed, ask);
  return (request) => (ask === undefined || isPreapproved(allowed, request) ? decide(request) : ask(request));
}

function toldOf(events: readonly AgentEvent[]): ToldRun {
  const last = events.at(-1);
  if (!last?.final) throw new Error('The run ended without a final event.');
  return { events, result: last.result };
}
