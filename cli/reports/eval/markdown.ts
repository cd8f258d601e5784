import type { CaseReport, EvalReport, SuiteReport } from '../../../core/eval/report/evalReport.js';
import { readLines } from '../../../core/eval/report/readLines.js';
import { visibleText } from '../../../core/visibleText.js';
import { coverageMarkdown } from './coverage.js';
import type { ReportContext } from './index.js';
import {
  baselineSentences,
  baselineTitle,
  caseRate,
  comparisonSentence,
  outcomeWord,
  suiteName,
  suiteSentences,
  titleWord,
  totalsSentence,
  warnings,
} from './words.js';

/** Reasons of one case that are shown. */
const mostReasons = 3;
/** Passed cases are folded above this number. */
const mostPassed = 10;

/** For a comment on a pull request: the outcome in the title, failures first, passed cases folded. */
export async function markdownReport(report: EvalReport, { project }: ReportContext): Promise<string> {
  const lineOf = await readLines(report, project);
  const placeOf = (file: string, pointer: string) => `${project.repositoryPath(file)}:${lineOf(file, pointer)}`;
  return [
    `## Eval ${titleWord(report)}`,
    ...warnings(report).map((warning) => `> **${warning}**`),
    `${totalsSentence(report)}.`,
    ...report.suites.map((suite) => suiteText(suite, placeOf)),
    ...(report.baseline === null
      ? []
      : [
          `### ${escaped(baselineTitle(report.baseline))}\n\n${baselineSentences(report)
            .map((one) => `- ${escaped(one)}`)
            .join('\n')}`,
        ]),
    ...(report.comparisons.length === 0
      ? []
      : [`### Compared\n\n${report.comparisons.map((one) => `- ${escaped(comparisonSentence(one))}`).join('\n')}`]),
    ...(report.coverage === undefined ? [] : [coverageMarkdown(report.coverage, escaped)]),
  ].join('\n\n');
}

type PlaceOf = (file: string, pointer: string) => string;

function suiteText(suite: SuiteReport, placeOf: PlaceOf): string {
  const model = suite.simulated ? ' (simulated)' : suite.model_name === null ? '' : ` (${escaped(suite.model_name)})`;
  const bad = suite.cases.filter(({ outcome }) => outcome !== 'passed');
  const sorted = bad.toSorted((a, b) => (a.outcome === b.outcome ? 0 : a.outcome === 'failed' ? -1 : 1));
  const good = suite.cases.filter(({ outcome }) => outcome === 'passed');
  const passed = table(good, suite, placeOf);
  const isFolded = good.length > mostPassed;
  return [
    `### ${escaped(suiteName(suite))}${model}`,
    ...[suiteSentences(suite).join(' ')].filter((text) => text !== ''),
    ...(sorted.length === 0 ? [] : [table(sorted, suite, placeOf)]),
    ...(good.length === 0
      ? []
      : [isFolded ? `<details><summary>${good.length} ${outcomeWord('passed', suite)}</summary>\n\n${passed}\n\n</details>` : passed]),
  ].join('\n\n');
}

function table(cases: readonly CaseReport[], suite: SuiteReport, placeOf: PlaceOf): string {
  const rows = cases.map((one) => {
    const reasons = one.outcome === 'passed' ? [] : one.reasons.slice(0, mostReasons);
    const said = reasons.map(({ pointer, reason }) => `${code(placeOf(one.file, pointer))} ${escaped(reason)}`).join('<br>');
    const word = outcomeWord(one.outcome, suite);
    return `| ${one.outcome === 'failed' ? `**${word}**` : word} | ${escaped(one.name)} | ${caseRate(one)} | ${said} |`;
  });
  return ['| | Case | Runs | Why |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function code(text: string): string {
  return `\`${visibleText(text).replaceAll('`', "'").replaceAll('|', '\\|')}\``;
}

/** Nothing of an answer becomes markup or a mention. */
function escaped(text: string): string {
  return visibleText(text).replace(/[\\`*_[\]<>#|~&@]/g, (character) => `&#${character.charCodeAt(0)};`);
}
