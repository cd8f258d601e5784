import { type WorstCase, worstCaseWords } from '../../llm/worstCase.js';
import { plural } from '../../plural.js';
import type { BaselineReport } from './evalReport.js';

interface Forecast {
  readonly counts: BaselineReport['counts'];
  readonly compared: boolean;
  readonly without_baseline: readonly string[];
  readonly worst_case: WorstCase;
}

/** `3 of 412 cases changed, 409 carried over; at most 42 calls, 0.38 USD`. */
export function forecastWords({ counts, compared, without_baseline, worst_case: worst }: Forecast): string {
  const cost = worst.calls === 0 ? 'no calls' : worstCaseWords(worst);
  if (!compared) return `${plural(counts.total, 'case')}; ${cost}`;
  const { total, changed, repeats, expired, canary, carried } = counts;
  const parts = [
    `${changed} of ${plural(total, 'case')} changed`,
    ...(counts.new > 0 ? [`${counts.new} new`] : []),
    ...(repeats > 0 ? [`${repeats} with more repeats`] : []),
    ...(expired > 0 ? [`${expired} expired`] : []),
    ...(canary > 0 ? [`${canary === 1 ? '1 canary' : `${canary} canaries`} asked again`] : []),
    `${carried} carried over`,
  ];
  const without = without_baseline.length === 0 ? '' : `. There is no baseline of ${without_baseline.join(', ')}`;
  return `${parts.join(', ')}; ${cost}${without}`;
}
