import { type LineOf, readLines } from '../../../core/eval/report/readLines.js';
import type { Outcome } from '../../../core/eval/types.js';
import type { CaseReport, EvalReport, SuiteReport } from '../../../core/generated/types.js';
import { visibleText } from '../../../core/visibleText.js';
import type { Styles } from '../../terminal/styles.js';
import { coverageText } from './coverage.js';
import type { ReportContext } from './types.js';
import {
  baselineSentences,
  baselineTitle,
  caseRate,
  comparisonSentence,
  countWords,
  outcomeWord,
  sourceOf,
  suiteName,
  suiteSentences,
  totalCost,
  warnings,
} from './words.js';

/** Cases that passed are listed up to this number, in a terminal and in a pipe. */
const mostPassed = 20;

/** Reasons of one case that are shown; the others are in the JSON. */
const mostReasons = 5;

/** For people: failures with their place first, then what the numbers say. */
export async function textReport(report: EvalReport, context: ReportContext): Promise<string> {
  const { project, styles } = context;
  const lineOf = await readLines(report, project);
  const listsPassed = context.isVerbose === true || report.cases.passed <= mostPassed;
  const lines = report.suites.flatMap((suite) => suiteLines(suite, { styles, lineOf, pathOf: project.shownPath, listsPassed }));
  for (const comparison of report.comparisons) lines.push(styles.bold('Compared'), `  ${visibleText(comparisonSentence(comparison))}`, '');
  if (report.baseline !== null)
    lines.push(
      styles.bold(baselineTitle(report.baseline)),
      ...baselineSentences(report).map((sentence) => `  ${visibleText(sentence)}`),
      '',
    );
  for (const warning of warnings(report)) lines.push(styles.yellow(warning));
  const colour = colourOf(styles, report.outcome, report);
  lines.push(`${colour(countWords(report, 'cases'))}; ${countWords(report, 'runs')}; ${totalCost(report)}`);
  if (report.coverage !== undefined) lines.push('', await coverageText(report.coverage, context));
  return lines.join('\n');
}

interface Shown {
  readonly styles: Styles;
  readonly lineOf: LineOf;
  readonly pathOf: (file: string) => string;
  readonly listsPassed: boolean;
}

function suiteLines(suite: SuiteReport, context: Shown): string[] {
  const { styles, listsPassed } = context;
  const order = { failed: 0, unknown: 1, passed: 2 };
  const shown = suite.cases.filter(({ outcome }) => listsPassed || outcome !== 'passed');
  const rest = suite.cases.length - shown.length;
  const cases = shown.toSorted((a, b) => order[a.outcome] - order[b.outcome]);
  return [
    `${styles.bold(visibleText(suiteName(suite)))}${styles.dim(visibleText(sourceOf(suite)))}`,
    ...cases.flatMap((tested) => caseLines(tested, suite, context)),
    ...(rest === 0 ? [] : [`  ${styles.dim(`${rest.toLocaleString('en')} ${outcomeWord('passed', suite)}; --verbose lists them.`)}`]),
    ...suiteSentences(suite).map((sentence) => `  ${styles.dim(sentence)}`),
    '',
  ];
}

/** What was made up is neither green nor red. */
function colourOf(styles: Styles, outcome: Outcome, { simulated }: { readonly simulated: boolean }): (text: string) => string {
  return simulated ? styles.yellow : { passed: styles.green, failed: styles.red, unknown: styles.yellow }[outcome];
}

function caseLines(tested: CaseReport, suite: SuiteReport, { styles, lineOf, pathOf }: Shown): string[] {
  const mark = colourOf(styles, tested.outcome, suite)(outcomeWord(tested.outcome, suite).padEnd(7));
  const needed =
    tested.repeats > 1 && tested.outcome === 'failed' ? `, needs ${Math.ceil(tested.required_rate * tested.repeats - 1e-9)}` : '';
  const rest = tested.reasons.length - mostReasons;
  // A case that passed may have repeats that did not: they are within its rate.
  const reasons = tested.outcome === 'passed' ? [] : tested.reasons.slice(0, mostReasons);
  return [
    `  ${mark} ${visibleText(tested.name)}  ${styles.dim(`${caseRate(tested)}${needed}`)}`,
    ...reasons.map(({ pointer, reason, repeats }) => {
      const place = `${pathOf(tested.file)}:${lineOf(tested.file, pointer)}`;
      const times = tested.repeats > 1 ? ` (${repeats} of ${tested.repeats} runs)` : '';
      return `          ${styles.cyan(place)}  ${visibleText(reason)}${times}`;
    }),
    ...(tested.outcome !== 'passed' && rest > 0 ? [styles.dim(`          and ${rest} more, see --format json`)] : []),
  ];
}
