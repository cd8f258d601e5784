import { usdText } from '../../core/amounts.js';
import { escapeComment } from '../../core/escape.js';
import type {
  Migration,
  MigrationComparison,
  MigrationEval,
  MigrationMove,
  MigrationPlace,
  MigrationUse,
} from '../../core/generated/types.js';
import {
  countWords,
  moveFacts,
  moveTitle,
  outcomeWord,
  placeWords,
  priceWords,
  splitReasons,
  useCells,
  useHeadings,
  useName,
} from '../../core/migrate/migrationWords.js';
import { visibleText } from '../../core/visibleText.js';
import { plural } from '../../core/words.js';
import type { OpenProject } from '../cli.js';
import type { Styles } from '../terminal/styles.js';

/** `gpt-4o -> gpt-5.4-mini (openai): gpt-4o ends on 2027-01-14, in 48 days; its provider names the successor`. */
function moveWords(move: MigrationMove, asOf: string): string {
  const facts = moveFacts(move, asOf);
  return `${moveTitle(move)}${facts.length === 0 ? '' : `: ${facts.join('; ')}`}`;
}

function placeLine(place: MigrationPlace, shown: (path: string) => string): string {
  return `${shown(place.file)} ${place.pointer}: ${placeWords(place, shown)}`;
}

const heading = ['agent', ...useHeadings()];

function cellsOf(use: MigrationUse, all: number): readonly string[] {
  return [visibleText(useName(use, all)), ...useCells(use)];
}

/** `12 agents: 10 fit, 1 does not fit, 1 is not known. Prices change by at most +12.5 %.` */
function summaryWords({ counts, price_change, files }: Migration): string {
  return files.length === 0 ? countWords(counts) : `${countWords(counts)} ${priceWords(price_change)}`;
}

/** What a report is printed with. */
export interface MigrateView {
  readonly project: OpenProject;
  /** How many were compared. */
  readonly environments: number;
  /** Today, in UTC. */
  readonly asOf: string;
}

export function migrateText(report: Migration, { project, environments, asOf }: MigrateView, styles: Styles): string {
  const lines: string[] = [];
  for (const move of report.moves) {
    lines.push(styles.bold(visibleText(moveWords(move, asOf))));
    for (const place of move.places)
      lines.push(`  ${visibleText(placeLine(place, project.shownPath))}`, ...place.notes.map((note) => `    ${visibleText(note)}`));
    const { shared, uses } = splitReasons(move);
    lines.push(...shared.map((reason) => `  ${visibleText(reason)}`));
    if (uses.length > 0) lines.push('', ...tableLines(uses, styles, environments));
    lines.push('');
  }
  for (const { file, notes } of report.files) for (const note of notes) lines.push(visibleText(`${project.shownPath(file)}: ${note}`));
  if (report.unread.length > 0)
    lines.push(...report.unread.map((file) => visibleText(`${project.shownPath(file)} cannot be read, so its model is not known.`)));
  if (report.eval !== null) lines.push(...evalLines(report.eval, styles), '');
  return [...lines, summaryWords(report)].join('\n');
}

function tableLines(uses: readonly MigrationUse[], styles: Styles, environments: number): readonly string[] {
  const rows = uses.map((use) => ({ use, cells: cellsOf(use, environments) }));
  const widths = heading.map((name, column) => Math.max(name.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `  ${cells
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()}`;
  const colours = { fits: styles.green, does_not_fit: styles.red, not_known: styles.yellow };
  return [
    styles.dim(line(heading)),
    ...rows.flatMap(({ use, cells }) => [
      line(cells).replace(` ${outcomeWord(use.outcome)} `, (word) => colours[use.outcome](word)),
      ...use.reasons.map((reason) => `    ${visibleText(reason)}`),
      ...use.notes.map((note) => `    ${styles.dim(visibleText(note))}`),
    ]),
  ];
}

const verdicts = { not_worse: 'not worse', worse: 'worse', cannot_tell: 'cannot tell' } as const;

/** `12 of 14 not worse, 1 worse (labels: 3 cases), 1 cannot tell (A: 4 cases do not show it; 28 more would show 10 points)`. */
export function evalSummary({ comparisons, margin }: MigrationEval): string {
  const of = (wanted: MigrationComparison['verdict']) => comparisons.filter(({ verdict }) => verdict === wanted);
  const group = (wanted: 'worse' | 'cannot_tell', words: (comparison: MigrationComparison) => string) => {
    const members = of(wanted);
    return members.length === 0
      ? []
      : [`${members.length} ${verdicts[wanted]} (${members.map((each) => `${each.subject}: ${words(each)}`).join('; ')})`];
  };
  return [
    `${of('not_worse').length} of ${comparisons.length} not worse`,
    ...group('worse', ({ worse_cases }) => plural(worse_cases.length, 'case')),
    ...group('cannot_tell', (each) => openWords(each, margin)),
  ].join(', ');
}

function openWords({ why, more_cases: more }: MigrationComparison, margin: number): string {
  const points = `${Math.round(margin * 1000) / 10} points`;
  if (more === null) return why ?? '';
  return `${why}; ${why === 'no cases' ? more : `${more} more`} without a difference would show ${points}`;
}

function evalCells({ subject, verdict, cases, difference, low, worse_cases }: MigrationComparison): readonly string[] {
  const points = (share: number | null) => (share === null ? '?' : `${share > 0 ? '+' : ''}${Math.round(share * 1000) / 10}`);
  return [subject, verdicts[verdict], String(cases), points(difference), points(low), worse_cases.slice(0, mostCases).join(', ')];
}

const mostCases = 5;
const evalHeading = ['agent', 'verdict', 'cases', 'points', 'at least, 95 %', 'worse cases'] as const;

function evalLines(evaluated: MigrationEval, styles: Styles): readonly string[] {
  const rows = evaluated.comparisons.map((each) => evalCells(each).map(visibleText));
  const widths = evalHeading.map((name, column) => Math.max(name.length, ...rows.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `  ${cells.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  return [styles.bold(`${visibleText(evalSummary(evaluated))}; ${costWords(evaluated)}`), styles.dim(line(evalHeading)), ...rows.map(line)];
}

function costWords({ cost_usd, cost_incomplete }: MigrationEval): string {
  return `${cost_incomplete ? 'at least ' : ''}${usdText(cost_usd)}`;
}

/** For a comment on a pull request. */
export function migrateMarkdown(report: Migration, { project, environments, asOf }: MigrateView): string {
  const escaped = escapeComment;
  const parts = ['## Migration of models', escaped(summaryWords(report))];
  for (const move of report.moves) {
    parts.push(`### ${escaped(moveWords(move, asOf))}`);
    parts.push(
      move.places
        .flatMap((place) => [placeLine(place, project.repositoryPath), ...place.notes])
        .map((words) => `- ${escaped(words)}`)
        .join('\n'),
    );
    const { shared, uses } = splitReasons(move);
    if (shared.length > 0) parts.push(shared.map(escaped).join(' '));
    if (uses.length === 0) continue;
    const rows = uses.map((use) => {
      const why = [...use.reasons, ...use.notes].map(escaped).join('<br>');
      return `| ${[...cellsOf(use, environments).map(escaped), why].join(' | ')} |`;
    });
    parts.push([`| ${[...heading, 'why'].join(' | ')} |`, `|${' --- |'.repeat(heading.length + 1)}`, ...rows].join('\n'));
  }
  if (report.eval !== null) {
    const rows = report.eval.comparisons.map((each) => `| ${evalCells(each).map(escaped).join(' | ')} |`);
    parts.push(`### Old against new\n\n${escaped(`${evalSummary(report.eval)}; ${costWords(report.eval)}.`)}`);
    parts.push([`| ${evalHeading.join(' | ')} |`, `|${' --- |'.repeat(evalHeading.length)}`, ...rows].join('\n'));
  }
  const notes = report.files.flatMap((file) => file.notes.map((note) => `- ${escaped(`${project.repositoryPath(file.file)}: ${note}`)}`));
  if (notes.length > 0) parts.push(notes.join('\n'));
  for (const file of report.unread) parts.push(escaped(`${project.repositoryPath(file)} cannot be read, so its model is not known.`));
  return parts.join('\n\n');
}
