import type { EvalSummary } from '../../core/project/keptEvals.js';
import { timeOfId } from '../../core/run/runSummary.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { example, type GlobalOptions, readOptions, type VerbSetup } from '../cli.js';
import { openKeptEvals } from '../kept.js';
import { toCount } from '../optionValues.js';
import { locateProject } from '../project.js';
import { suiteName, totalsSentence } from '../reports/eval/words.js';
import { cutLine } from '../terminal/fold.js';

export const evalList: VerbSetup = (command, cli) => {
  command
    .summary('list the kept evals')
    .description('List the kept evals, the newest first: id, time (UTC), outcome, and what was found.')
    .option('--limit <n>', 'at most this many', toCount(1), 20)
    .addHelpText('after', () => example(cli, ['eval list', 'eval list --json']))
    .action(async () => {
      const options = readOptions<GlobalOptions & { readonly limit: number }>(cli, command);
      const evals = await openKeptEvals(locateProject(cli, options)).summarize(options.limit);
      const { terminal } = cli;
      if (options.json) {
        terminal.print(toSafeJson({ evals: evals.map(toRow) }));
        return;
      }
      if (evals.length === 0) terminal.note('There are no evals yet.');
      for (const summary of evals)
        terminal.print(cutLine(lineOf(summary), terminal.stdoutIsTerminal ? terminal.columns : Number.POSITIVE_INFINITY));
    });
};

function lineOf(summary: EvalSummary): string {
  const { report } = summary;
  const totals =
    report === null ? '' : `  ${report.suites.map(suiteName).join(', ')}  ${totalsSentence(report)}${report.replayed ? '; replayed' : ''}`;
  return `${summary.eval_id}  ${timeText(summary)}  ${outcomeOf(summary).padEnd(7)}${visibleText(totals)}`.trimEnd();
}

function outcomeOf({ state, report }: EvalSummary): string {
  return state === 'ended' ? (report?.outcome ?? state) : state;
}

function timeText({ eval_id }: EvalSummary): string {
  const time = timeOfId(eval_id);
  return time === null ? ''.padEnd(16) : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
}

function toRow({ eval_id, state, report }: EvalSummary) {
  const {
    started = null,
    outcome = null,
    cases = null,
    runs = null,
    cost_usd = null,
    cost_incomplete = null,
    simulated = null,
    replayed = null,
  } = report ?? {};
  return { eval_id, state, started, outcome, cases, runs, cost_usd, cost_incomplete, simulated, replayed };
}
