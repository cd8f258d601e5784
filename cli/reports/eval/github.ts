import { readLines } from '../../../core/eval/report/readLines.js';
import type { EvalReport } from '../../../core/generated/types.js';
import { escapeData, escapeProperty } from '../github.js';
import type { ReportContext } from './types.js';
import {
  baselineSentences,
  baselineTitle,
  caseRate,
  comparisonSentence,
  outcomeWord,
  suiteName,
  totalsSentence,
  warnings,
} from './words.js';

/** Reasons of one case that become annotations: GitHub shows ten of a kind. */
const mostReasons = 2;

/** Workflow commands of GitHub Actions: an annotation at each expectation that failed, and a notice with the numbers. */
export async function githubReport(report: EvalReport, { project }: ReportContext): Promise<string> {
  const lineOf = await readLines(report, project);
  const lines = report.suites.flatMap((suite) =>
    suite.cases.flatMap((tested) => {
      if (tested.outcome === 'passed') return [];
      const command = tested.outcome === 'failed' && !suite.simulated ? 'error' : 'warning';
      return tested.reasons.slice(0, mostReasons).map(({ pointer, reason }) => {
        const file = escapeProperty(project.repositoryPath(tested.file));
        const title = escapeProperty(`${suiteName(suite)}: ${tested.name} ${outcomeWord(tested.outcome, suite)}`);
        return `::${command} file=${file},line=${lineOf(tested.file, pointer)},title=${title}::${escapeData(`${reason} (${caseRate(tested)})`)}`;
      });
    }),
  );
  const compared = report.baseline === null ? [] : [`${baselineTitle(report.baseline)}: ${baselineSentences(report).join(' ')}`];
  if (report.baseline?.verdict === 'worse') lines.push(`::error title=agent-stack eval::${escapeData(compared.join(''))}`);
  const sentences = [totalsSentence(report), ...compared, ...report.comparisons.map(comparisonSentence), ...warnings(report)];
  return [...lines, `::notice title=agent-stack eval::${escapeData(sentences.join('\n'))}`].join('\n');
}
