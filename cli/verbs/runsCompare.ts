import { durationText, usdText } from '../../core/amounts.js';
import { countText } from '../../core/llm/tokenText.js';
import { type ComparedField, type ComparedRow, compareRuns } from '../../core/run/compareRuns.js';
import { readRunFiles } from '../../core/run/readRuns.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { findRun } from '../findRun.js';
import { locateProject } from '../project.js';
import { cutLine } from '../terminal/fold.js';
import type { Styles } from '../terminal/styles.js';

interface CompareOptions extends GlobalOptions {
  readonly all?: boolean;
}

export const runsCompare: VerbSetup = (command, cli) => {
  command
    .summary('compare runs field by field')
    .description('Compare runs field by field: what ran, what it took, the answers and the inputs. The others are compared with the first.')
    .argument('<ids...>', 'ids of two or more runs, their beginnings, or "last"')
    .option('--all', 'also the fields in which the runs do not differ')
    .addHelpText('after', () => example(cli, ['runs compare 0193f1c2 last', 'runs compare 0193f1c2 0193f1d0 last --json']))
    .action(async (ids: readonly string[]) => {
      const options = readOptions<CompareOptions>(cli, command);
      const { files } = locateProject(cli, options);
      const runIds = new Set<string>();
      for (const id of ids) runIds.add(await findRun(files, id));
      if (runIds.size < 2) throw new UsageError(`Name two or more runs. List them with \`${cli.name} runs list\`.`);
      const runs = await Promise.all([...runIds].map((id) => readRunFiles(files, id)));
      const compared = compareRuns(runs);
      const { terminal } = cli;
      if (options.json) terminal.print(toSafeJson(compared));
      else
        for (const line of comparisonLines(compared.rows, compared.run_ids, options.all === true, terminal.out, terminal.columns))
          terminal.print(line);
    });
};

const labels: Readonly<Record<ComparedField, string>> = {
  agent: 'agent',
  case: 'case',
  profile: 'profile',
  model: 'model',
  environment: 'environment',
  started: 'started',
  status: 'status',
  error: 'error',
  duration: 'time',
  cost: 'cost',
  prompt_tokens: 'tokens in',
  completion_tokens: 'tokens out',
  model_calls: 'model calls',
  tools: 'tools',
  repairs: 'repairs',
};

const headings = { run: '', usage: 'used', output: 'answer', input: 'input' } as const;

/** A column for each run; a line that differs begins with `*`. */
export function comparisonLines(
  rows: readonly ComparedRow[],
  ids: readonly string[],
  isWhole: boolean,
  { bold, dim, yellow }: Styles,
  columns: number,
): readonly string[] {
  // What the runs are, how long they ran and what they cost is always shown.
  const visibleRows = rows.filter(
    ({ differs, part, kind }) => isWhole || differs || (part === 'run' && kind !== 'text') || kind === 'money' || kind === 'duration',
  );
  const names = visibleRows.map(({ part, field }) =>
    part === 'run' || part === 'usage' ? labels[field as ComparedField] : visibleText(field),
  );
  const first = Math.min(24, Math.max(8, ...names.map(({ length }) => length)));
  const width = Math.max(8, Math.floor((columns - first - 2) / ids.length) - 2);
  const cell = (text: string) => cutLine(text, width).padEnd(width);
  const lines = [`  ${''.padEnd(first)}  ${ids.map((id) => bold(cell(id))).join('  ')}`.trimEnd()];
  let part = 'run';
  visibleRows.forEach((row, index) => {
    if (row.part !== part) lines.push('', dim(headings[row.part]));
    part = row.part;
    const cells = row.values.map((_, at) => cell(cellText(row, at) + changeText(row, at)));
    const line = `${row.differs ? '*' : ' '} ${cutLine(names[index] ?? '', first).padEnd(first)}  ${cells.join('  ')}`.trimEnd();
    lines.push(row.differs ? yellow(line) : line);
  });
  return lines;
}

function cellText({ kind, values, at_least }: ComparedRow, at: number): string {
  const value = values[at] ?? null;
  if (value === null) return '-';
  const least = at_least[at] ? 'at least ' : '';
  if (typeof value === 'number') {
    if (kind === 'money') return least + usdText(value);
    if (kind === 'duration') return durationText(value);
    if (kind === 'time') return new Date(value).toISOString().slice(0, 16).replace('T', ' ');
    if (kind === 'count') return least + countText(value);
  }
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value));
}

function changeText({ changes }: ComparedRow, at: number): string {
  const change = changes[at] ?? null;
  return change === null ? '' : ` (${change > 0 ? '+' : ''}${change} %)`;
}
