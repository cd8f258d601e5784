import * as baseline from '../../../core/eval/report/baselineWords.js';
import { createEvalWords } from '../../../core/eval/report/evalWords.js';
import type { BaselineReport, EvalReport } from '../../../core/generated/types.js';

const words = createEvalWords();

/** What the reports of the command line say, in English. */
export const {
  suiteName,
  sourceOf,
  caseRate,
  outcomeWord,
  titleWord,
  countWords,
  totalsSentence,
  totalCost,
  warnings,
  suiteSentences,
  comparisonSentence,
  comparisonParts,
  baselineNote,
} = words;

export function baselineTitle(report: BaselineReport): string {
  return baseline.baselineTitle(report, words);
}

export function baselineSentences(report: Pick<EvalReport, 'baseline'>): readonly string[] {
  return baseline.baselineSentences(report, words);
}
