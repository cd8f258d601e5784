import { escapeComment } from '../../../core/escape.js';
import { readLines } from '../../../core/eval/report/readLines.js';
import type { CaseReport, EvalReport, SuiteReport } from '../../../core/generated/types.js';
import { visibleText } from '../../../core/visibleText.js';
import { coverageMarkdown } from './coverage.js';
import type { ReportContext } from './types.js';
import {
  baselineSentences,
  baselineTitle,
  caseRate,
  comparisonSentence,
  outcomeWord,
  sourceOf,
  suiteName,
  suiteSentences,
  titleWord,
  totalsSentence,
  warnings,
} from './words.js';

/** Reasons of one case that are shown. */
const mostReasons = 3;
/** Passed cases of the whole report are folded above this number. */
const mostPassed = 10;
/** Characters of all rows: GitHub refuses a comment of more than 65,536. */
const mostRowCharacters = 40_000;

/** For a comment on a pull request: the outcome in the title, what it was compared with, failures first, passed cases folded. */
export async function markdownReport(report: EvalReport, { project }: ReportContext): Promise<string> {
  const lineOf = await readLines(report, project);
  const placeOf = (file: string, pointer: string) => `${project.repositoryPath(file)}:${lineOf(file, pointer)}`;
  const { suites, baseline, comparisons, coverage } = report;
  const isFolded = report.cases.passed > mostPassed;
  const room = { left: mostRowCharacters };
  // Failures of the last suite are more than what passed in the first.
  const bad = suites.map((suite) => fitting(badRows(suite, placeOf), room));
  const good = suites.map((suite) => fitting(goodRows(suite, isFolded), room));
  return [
    `## Eval ${titleWord(report)}`,
    ...warnings(report).map((warning) => `> **${warning}**`),
    `${totalsSentence(report)}.`,
    ...(baseline === null ? [] : [section(baselineTitle(baseline), baselineSentences(report))]),
    ...(comparisons.length === 0 ? [] : [section('Compared', comparisons.map(comparisonSentence))]),
    ...suites.map((suite, index) => suiteText(suite, { bad: bad[index] ?? none, good: good[index] ?? none, isFolded })),
    ...(coverage === undefined ? [] : [coverageMarkdown(coverage, escapeComment)]),
  ].join('\n\n');
}

function section(title: string, sentences: readonly string[]): string {
  return `### ${escapeComment(title)}\n\n${sentences.map((sentence) => `- ${escapeComment(sentence)}`).join('\n')}`;
}

type PlaceOf = (file: string, pointer: string) => string;

interface Rows {
  readonly rows: readonly string[];
  /** Rows that found no room. */
  readonly rest: number;
}

const none: Rows = { rows: [], rest: 0 };

function fitting(rows: readonly string[], room: { left: number }): Rows {
  const fitted = rows.filter((row) => {
    room.left -= row.length;
    return room.left >= 0;
  });
  return { rows: fitted, rest: rows.length - fitted.length };
}

const openHead = '| | Case | Runs | Why |\n| --- | --- | --- | --- |';
const foldedHead = '| Case | Runs |\n| --- | --- |';

interface Shown {
  readonly bad: Rows;
  readonly good: Rows;
  readonly isFolded: boolean;
}

function suiteText(suite: SuiteReport, { bad, good, isFolded }: Shown): string {
  const word = outcomeWord('passed', suite);
  const open = isFolded ? bad.rows : [...bad.rows, ...good.rows];
  const count = good.rows.length + good.rest;
  return [
    `### ${escapeComment(suiteName(suite) + sourceOf(suite))}`,
    ...[suiteSentences(suite).join(' ')].filter((text) => text !== ''),
    ...(open.length === 0 ? [] : [[openHead, ...open].join('\n')]),
    ...(bad.rest === 0 ? [] : [`${bad.rest} more did not pass. \`--format json\` has all of them.`]),
    ...(isFolded && count > 0 ? [folded(`${count} ${word}`, [foldedHead, ...good.rows].join('\n'), good.rest)] : []),
  ].join('\n\n');
}

function folded(summary: string, body: string, rest: number): string {
  const more = rest === 0 ? '' : `\n\n${rest} more passed.`;
  return `<details><summary>${summary}</summary>\n\n${body}${more}\n\n</details>`;
}

function badRows(suite: SuiteReport, placeOf: PlaceOf): readonly string[] {
  const bad = suite.cases.filter(({ outcome }) => outcome !== 'passed');
  const sorted = bad.toSorted((a, b) => (a.outcome === b.outcome ? 0 : a.outcome === 'failed' ? -1 : 1));
  return sorted.map((tested) => {
    const word = outcomeWord(tested.outcome, suite);
    const reasons = tested.reasons
      .slice(0, mostReasons)
      .map(({ pointer, reason }) => `${code(placeOf(tested.file, pointer))} ${escapeComment(reason)}`);
    const more = tested.reasons.length > mostReasons ? [`and ${tested.reasons.length - mostReasons} more`] : [];
    return `| ${tested.outcome === 'failed' ? `**${word}**` : word} | ${runsOf(tested)} | ${[...reasons, ...more].join('<br>')} |`;
  });
}

/** @param isFolded under a summary that says that they passed */
function goodRows(suite: SuiteReport, isFolded: boolean): readonly string[] {
  return suite.cases
    .filter(({ outcome }) => outcome === 'passed')
    .map((tested) => (isFolded ? `| ${runsOf(tested)} |` : `| ${outcomeWord('passed', suite)} | ${runsOf(tested)} |  |`));
}

function runsOf(tested: CaseReport): string {
  return `${escapeComment(tested.name)} | ${caseRate(tested)}`;
}

function code(text: string): string {
  return `\`${visibleText(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}
