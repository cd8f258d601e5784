import type { EvalReport, SuiteReport } from '../../../generated/types.js';
import { visibleText } from '../../../visibleText.js';
import type { Translate } from '../../../words.js';
import type { Outcome } from '../../types.js';
import { baselineSentences, baselineTitle } from '../baselineWords.js';
import { createEvalWords, type EvalWords } from '../evalWords.js';
import { type CaseRow, caseDetails, type EvalPageOptions, intervalBar } from './caseDetails.js';
import { h, type PageElement, type PageNode } from './pageElement.js';

/** The suites of one agent or orchestration, one per profile. */
interface Subject {
  readonly suites: readonly { readonly suite: SuiteReport; readonly number: number }[];
  /** Failures first. */
  readonly rows: readonly CaseRow[];
}

/** An eval as a page: cases x models with intervals, failures first, each case with its reasons, its answer and its runs. */
export function evalPage(report: EvalReport, options: EvalPageOptions): PageElement {
  const { words = createEvalWords(), started = report.started } = options;
  const t: Translate = words.t;
  return h(
    'main',
    {},
    h('h1', {}, `${t('Eval')} `, h('span', { class: classOf(report.outcome, report) }, words.titleWord(report))),
    ...words.warnings(report).map((warning) => h('p', { class: 'note', role: 'note' }, warning)),
    h('p', {}, `${words.totalsSentence(report)}. ${t('Started {0}.', started)}`),
    ...subjectsOf(report).map((subject) => subjectSection(subject, words, options)),
    ...baselinePart(report, words),
    ...comparisonPart(report, words),
  );
}

function subjectsOf({ suites }: EvalReport): readonly Subject[] {
  const groups = new Map<string, { readonly suite: SuiteReport; readonly number: number }[]>();
  for (const [number, suite] of suites.entries()) {
    const key = JSON.stringify([suite.kind, suite.name, suite.version]);
    groups.set(key, [...(groups.get(key) ?? []), { suite, number }]);
  }
  return [...groups.values()].map((group) => {
    const count = Math.max(...group.map(({ suite }) => suite.cases.length));
    const rows = Array.from({ length: count }, (_, index) => ({
      index,
      cases: group.flatMap(({ suite }) => suite.cases[index] ?? []),
    }));
    return { suites: group, rows: rows.toSorted((a, b) => rankOf(a) - rankOf(b)) };
  });
}

/** By the worst outcome of its profiles. */
function rankOf({ cases }: CaseRow): number {
  const ranks = { failed: 0, unknown: 1, passed: 2 };
  return Math.min(...cases.map(({ outcome }) => ranks[outcome]));
}

function subjectSection({ suites, rows }: Subject, words: EvalWords, options: EvalPageOptions): PageElement {
  const t: Translate = words.t;
  const [first] = suites;
  const isSingle = suites.length === 1;
  const title = first === undefined ? '' : words.suiteName(isSingle ? first.suite : { ...first.suite, llm: null });
  const name = isSingle && first !== undefined ? `${title}${words.sourceOf(first.suite)}` : title;
  const sentences = suites.flatMap(({ suite }) => {
    const summary = words.suiteSentences(suite).join(' ');
    if (summary === '') return [];
    return [h('p', {}, isSingle ? summary : visibleText(`${words.profile(suite.llm)}: ${summary}`))];
  });
  const passed = rows.filter((row) => rankOf(row) === 2).length;
  const hidden = Math.max(0, passed - (options.mostPassed ?? passed));
  const heads = suites.map(({ suite }) =>
    h('th', { scope: 'col' }, isSingle ? t('Outcome') : visibleText(`${words.profile(suite.llm)}${words.sourceOf(suite)}`)),
  );
  const table = h(
    'table',
    {},
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('Case')), ...heads)),
    h('tbody', {}, ...rows.slice(0, rows.length - hidden).map((row) => caseRow(row, suites, words, options))),
  );
  const showAllButton: PageElement = {
    ...h('button', { type: 'button', class: 'secondary' }, t('Show {0} more that passed', hidden)),
    action: { type: 'all' },
  };
  const more = options.isLive ? showAllButton : h('p', {}, t('{0} more passed.', hidden));
  const region = h('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': visibleText(title) }, table);
  return h('section', {}, h('h2', {}, visibleText(name)), ...sentences, region, ...(hidden === 0 ? [] : [more]));
}

function caseRow(row: CaseRow, suites: Subject['suites'], words: EvalWords, options: EvalPageOptions): PageElement {
  const cells = row.cases.map((caseReport) =>
    h(
      'td',
      {},
      h('span', { class: classOf(caseReport.outcome, caseReport) }, words.outcomeWord(caseReport.outcome, caseReport)),
      ' ',
      h('span', { class: 'rate' }, words.caseRate(caseReport)),
      ...intervalBar(caseReport),
    ),
  );
  const profiles = suites.map(({ suite, number }) => ({ number, name: suites.length === 1 ? '' : words.profile(suite.llm) }));
  return h('tr', {}, h('th', { scope: 'row' }, caseDetails(row, profiles, words, options)), ...cells);
}

/** Simulated answers are neither good nor bad. */
function classOf(outcome: Outcome, { simulated }: { readonly simulated: boolean }): Outcome {
  return simulated ? 'unknown' : outcome;
}

function baselinePart(report: EvalReport, words: EvalWords): readonly PageNode[] {
  const { baseline } = report;
  if (baseline === null) return [];
  const mark = baseline.verdict === 'better' ? 'passed' : baseline.verdict === 'worse' ? 'failed' : undefined;
  const items = baselineSentences(report, words).map((sentence) => h('li', {}, visibleText(sentence)));
  return [h('h2', {}, visibleText(baselineTitle(baseline, words))), h('ul', { class: mark }, ...items)];
}

function comparisonPart({ comparisons }: EvalReport, words: EvalWords): readonly PageNode[] {
  const t: Translate = words.t;
  if (comparisons.length === 0) return [];
  const items = comparisons.map((comparison) => {
    const { verdict } = comparison.pass_rate;
    const mark = verdict === 'better' ? 'passed' : verdict === 'worse' ? 'failed' : undefined;
    // A sentence about two versions names them.
    const subject = comparison.version === comparison.before_version ? `${words.suiteName({ ...comparison, llm: null })}: ` : '';
    return h('li', { class: mark }, visibleText(`${subject}${words.comparisonSentence(comparison)}`));
  });
  return [h('h2', {}, t('Compared')), h('ul', {}, ...items)];
}
