import { durationText, usdText } from '../../../core/amounts.js';
import { errorKeyOf } from '../../../core/errorTitles.js';
import { countText } from '../../../core/llm/tokenText.js';
import { type ComparedField, type ComparedRow, compareRuns } from '../../../core/run/compareRuns.js';
import type { RunFiles } from '../../../core/run/readRuns.js';
import type { RunState } from '../../../core/run/runSummary.js';
import { textAt } from '../../../core/run/untrusted.js';
import type { ComparedLine } from './messages.js';

/** Words of the table, in the user's language. */
export interface ComparisonWords {
  /** BCP 47, for numbers and times. */
  readonly language: string;
  readonly fields: Readonly<Record<ComparedField, string>>;
  readonly stateWord: (state: RunState) => string;
  readonly errors: Readonly<Record<string, string>>;
  readonly simulated: string;
  /** `at least 0.002 USD`. */
  readonly atLeast: (text: string) => string;
}

/** The longest text of a cell, in UTF-16 units; the run itself has the rest. */
const longestCell = 20_000;

/** Several runs as the lines of a table. */
export function comparedLines(runs: readonly RunFiles[], words: ComparisonWords): readonly ComparedLine[] {
  return compareRuns(runs).rows.map((row) => {
    const { part, field, values, changes, differs } = row;
    const isOwn = part === 'run' || part === 'usage';
    return {
      part,
      label: isOwn ? words.fields[field as ComparedField] : field,
      cells: values.map((_, at) => cellOf(row, at, runs[at], words)),
      changes: changes.map((change) => changeText(change, words)),
      differs,
    };
  });
}

function cellOf({ kind, field, part, values, at_least }: ComparedRow, at: number, run: RunFiles | undefined, words: ComparisonWords) {
  const value = values[at] ?? null;
  const least = (text: string) => (at_least[at] ? words.atLeast(text) : text);
  if (kind === 'money' && value === null && run?.summary.simulated) return words.simulated;
  if (part === 'run' && field === 'error' && run?.summary.error) {
    const { code, message, details } = run.summary.error;
    const key = errorKeyOf(code, textAt(details, 'reason'));
    return `${key === undefined ? code : words.errors[key]}: ${message}`;
  }
  if (value === null) return null;
  if (typeof value === 'number') {
    if (kind === 'money') return least(usdText(value, words.language));
    if (kind === 'duration') return durationText(value, words.language);
    if (kind === 'time') return new Date(value).toLocaleString(words.language);
    if (kind === 'count') return least(countText(value, words.language));
  }
  if (kind === 'status' && typeof value === 'string') return words.stateWord(value as RunState);
  return (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).slice(0, longestCell);
}

function changeText(change: number | null, { language }: ComparisonWords): string {
  if (change === null) return '';
  return `${change.toLocaleString(language, { signDisplay: 'always' })} %`;
}
