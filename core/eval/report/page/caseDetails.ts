import { type DiffLine, diffLines } from '../../../diffLines.js';
import type { CaseReport, ReasonReport } from '../../../generated/types.js';
import type { Json } from '../../../json.js';
import { visibleLines, visibleText } from '../../../visibleText.js';
import type { Translate } from '../../../words.js';
import type { EvalWords } from '../evalWords.js';
import { h, type PageAction, type PageElement, type PageNode } from './pageElement.js';

/** A column of the table: the index of its suite in the report, and its name if there are several. */
interface Profile {
  readonly number: number;
  readonly name: string;
}

/** The name of a case, with its details below it. Passed cases are closed, and have no details on a static page. */
export function caseDetails(row: CaseRow, profiles: readonly Profile[], words: EvalWords, options: EvalPageOptions): PageNode {
  const [first] = row.cases;
  const name = visibleText(first?.name ?? '');
  const isPassed = row.cases.every(({ outcome }) => outcome === 'passed');
  if (isPassed && !options.isLive) return name;
  const parts = row.cases.flatMap((caseReport, column) => {
    const profile = profiles[column];
    if (profile === undefined || (caseReport.outcome === 'passed' && !options.isLive)) return [];
    const heading = profile.name === '' ? [] : [h('h3', {}, visibleText(profile.name))];
    return [...heading, ...partsOf(caseReport, { suite: profile.number, case: row.index }, words, options)];
  });
  return h('details', isPassed ? {} : { open: true }, h('summary', {}, name), ...parts);
}

function partsOf(
  caseReport: CaseReport,
  at: { readonly suite: number; readonly case: number },
  words: EvalWords,
  { lineOf, isLive = false }: EvalPageOptions,
): readonly PageElement[] {
  const t: Translate = words.t;
  const times = ({ repeats }: ReasonReport) => (caseReport.repeats > 1 ? ` (${t('{0} of {1} runs', repeats, caseReport.repeats)})` : '');
  const reasons = caseReport.reasons.map((reason) => {
    const place = visibleText(`${caseReport.file}:${lineOf(caseReport.file, reason.pointer)}`);
    const link = isLive ? button('link', place, { type: 'place', file: caseReport.file, pointer: reason.pointer }) : h('code', {}, place);
    return h('li', {}, link, ` ${visibleText(reason.reason)}${times(reason)}`);
  });
  const texts =
    caseReport.answer !== undefined && caseReport.expected !== undefined
      ? [h('h3', {}, t('Answer, compared with the expected one')), difference(caseReport.expected, caseReport.answer)]
      : caseReport.answer === undefined
        ? []
        : [h('h3', {}, t('Answer')), h('pre', {}, visibleLines(pretty(caseReport.answer)))];
  const runs = caseReport.runs.map(({ repeat, outcome, cost_usd, latency_ms }) => {
    const facts = [
      words.outcomeWord(outcome, caseReport),
      ...(cost_usd === null ? [] : [words.usd(cost_usd)]),
      words.duration(latency_ms),
    ].join(', ');
    return h('li', {}, button('link', t('Repeat {0}', repeat), { type: 'run', ...at, repeat }), ` ${facts}`);
  });
  return [...(reasons.length === 0 ? [] : [h('ul', {}, ...reasons)]), ...texts, ...(isLive ? [h('ul', { class: 'runs' }, ...runs)] : [])];
}

/** A line diff of the expected answer and the actual one. */
function difference(expected: Json, answer: Json): PageElement {
  const lines = diffLines(pretty(expected).split('\n'), pretty(answer).split('\n'));
  return h('pre', {}, ...lines.flatMap((line, index) => [...(index === 0 ? [] : ['\n']), lineOf(line)]));
}

function lineOf({ mark, text }: DiffLine): PageNode {
  const line = `${mark} ${visibleLines(text)}`;
  if (mark === ' ') return line;
  return h(mark === '-' ? 'del' : 'ins', {}, line);
}

function pretty(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function button(kind: 'link', text: string, action: PageAction): PageElement {
  return { ...h('button', { type: 'button', class: kind }, text), action };
}

export interface EvalPageOptions {
  /** Default: English. */
  readonly words?: EvalWords;
  /** The displayed start time of the eval. Default: as in the report. */
  readonly started?: string;
  /** The line of a place in a file, from 1. */
  readonly lineOf: (file: string, pointer: string) => number;
  /** Whether the page has buttons that open places and runs, which a program handles. */
  readonly isLive?: boolean;
  /** The number of passed cases shown in each table. Default: all. */
  readonly mostPassed?: number;
}

/** A case with all its profiles. */
export interface CaseRow {
  /** Index in each suite. */
  readonly index: number;
  readonly cases: readonly CaseReport[];
}

/** The interval as a bar from 0 to 100 %, with a line at the rate; empty without an interval. The text beside it says the same. */
export function intervalBar({ interval, passes, judged }: CaseReport): readonly PageElement[] {
  if (interval === null) return [];
  const share = (value: number) => Number((value * 100).toFixed(1));
  const [low, high, rate] = [share(interval.low), share(interval.high), share(passes / judged)];
  return [
    h(
      'svg',
      { class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      h('rect', { class: 'all', width: 100, height: 10 }),
      h('rect', { class: 'range', x: low, width: Number((high - low).toFixed(1)), height: 10 }),
      h('rect', { class: 'mark', x: Math.min(98, rate), width: 2, height: 10 }),
    ),
  ];
}
