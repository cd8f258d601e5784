import { usdText } from '../../core/amounts.js';
import type { ForkFindings } from '../../core/fork/forkReport.js';
import type { ForkCase, ForkReport, ForkRow, ForkShare, ForkTool } from '../../core/generated/types.js';
import { causeWords } from '../../core/run/changedSince.js';
import { visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import { cutLine } from '../terminal/fold.js';
import type { Styles } from '../terminal/styles.js';

/** What a fork would do, before anything is paid. */
export function planLines({ plan, kind, name, version, run_id, record }: ForkFindings, times: number, styles: Styles): readonly string[] {
  const { bold, dim, yellow } = styles;
  const subject = kind === 'agent' ? `${name}@${version}` : name;
  const lines = [`${bold('fork')}  ${subject} ${dim(`of ${run_id ?? record}`)}`];
  if (!plan.config_known) lines.push(yellow('  The config of the record is not known any more, so what has changed cannot be named.'));
  if (plan.places.length === 0) {
    const changed =
      plan.changes.length === 0 ? '' : ` (changed: ${causeWords(plan.changes.map((field) => ({ ...field, is_certain: true })))})`;
    return [...lines, `  Nothing to fork: no request changes${changed}.`];
  }
  const row = (label: string, text: string) => lines.push(`  ${label.padEnd(8)} ${text}`);
  row('free', shareWords(plan.free));
  for (const { place, agent, what, tool, model_call, differences, message, causes } of plan.places) {
    const at = place === '' ? '' : ` of ${agent}${place === agent ? '' : ` (${place})`}`;
    const start =
      what === 'model' ? `from model call ${model_call}${at}` : `from ${what === 'tools' ? 'its tools' : `the call of ${tool}`}${at}`;
    row('live', visibleText(`${start}${causes.length === 0 ? '' : `: ${causeWords(causes)}`}`));
    for (const difference of differences.length === 0 ? [message] : differences.slice(0, 3)) row('', dim(visibleText(difference)));
  }
  row('', `${shareWords(plan.live)} in the record`);
  if (plan.may_follow.model_calls > 0) row('follows', `${shareWords(plan.may_follow)} in the record, live where the requests differ then`);
  if (plan.tools.length > 0) row('tools', plan.tools.map(toolWords).join(', '));
  const most =
    plan.most_cost_usd === null ? 'not known' : `at most ${usdText(plan.most_cost_usd)}${times === 1 ? '' : ` for each of ${times} forks`}`;
  row('cost', most);
  if (plan.secrets_masked) lines.push(yellow('  The input has masked secrets, which the fork sends as they are. Give it with --input.'));
  return lines;
}

function shareWords({ model_calls, cost_usd }: ForkShare): string {
  return `${plural(model_calls, 'model call')}, ${cost_usd === null ? 'cost unknown' : usdText(cost_usd)}`;
}

function toolWords({ name, calls, idempotent }: ForkTool): string {
  return `${visibleText(name)} (${plural(calls, 'call')}${idempotent ? '' : ', asked about: not idempotent'})`;
}

/** The steps side by side, the spread of the answers, what was paid and saved, and the verdict. */
export function forkLines(report: ForkReport, { bold, dim, yellow }: Styles, columns: number): readonly string[] {
  const { rows, forks, spread, paid_usd, saved_usd, case: judged } = report;
  const lines: string[] = [];
  const width = Math.max(16, Math.floor((columns - 14) / 2));
  const cell = (row: ForkRow, index: number) => cutLine(visibleText(cellWords(row, index)), width).padEnd(width);
  let place = '';
  for (const row of rows) {
    if (row.place !== place) lines.push(dim(visibleText(row.place)));
    place = row.place;
    const mark = row.is_live ? '>' : row.is_equal ? ' ' : '*';
    const line = `${mark} ${cutLine(visibleText(row.name ?? String(row.step)), 10).padEnd(10)}  ${cell(row, 0)} ${cell(row, 1)}`.trimEnd();
    lines.push(row.is_live || !row.is_equal ? yellow(line) : line);
  }
  if (rows.some(({ is_live }) => is_live)) lines.push(dim('> live from here on, * differs'));
  if (forks.length > 1) {
    lines.push('', bold('answers of the forks'));
    for (const { field, values } of spread)
      lines.push(
        `  ${visibleText(field)}  ${values.map(({ value, count }) => `${cutLine(visibleText(JSON.stringify(value)), 40)} ${count}x`).join(', ')}`,
      );
    const costs = forks.flatMap(({ cost_usd }) => cost_usd ?? []);
    if (costs.length === forks.length) lines.push(`  cost  ${usdText(Math.min(...costs))} to ${usdText(Math.max(...costs))} each`);
  }
  lines.push('', `paid ${costWords(paid_usd)}, saved ${costWords(saved_usd)} by the record`);
  if (judged !== null) lines.push(caseWords(judged));
  return [...lines, ''];
}

function costWords(cost: number | null): string {
  return cost === null ? 'an unknown cost' : usdText(cost);
}

function cellWords({ cells }: ForkRow, index: number): string {
  const cell = cells[index] ?? null;
  if (cell === null) return '-';
  return [...cell.calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`), ...(cell.text === '' ? [] : [cell.text])].join(' | ');
}

function caseWords({ name, original, passes, judged, interval, verdict }: ForkCase): string {
  const measured = interval === null ? 'not compared' : `${verdict}: one case says nothing about others`;
  return `case ${visibleText(name)}: the original ${original === 'unknown' ? 'could not be judged' : original}, ${passes} of ${plural(judged, 'fork')} passed (${measured})`;
}
