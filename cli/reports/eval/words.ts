import { createEvalWords } from '../../../core/eval/report/evalWords.js';

/** What the reports of the command line say, in English. */
export const {
  suiteName,
  caseRate,
  outcomeWord,
  titleWord,
  countWords,
  totalsSentence,
  totalCost,
  warnings,
  suiteSentences,
  comparisonSentence,
} = createEvalWords();
