import type { BaselineReport, DriftReport, EvalReport } from '../../generated/types.js';
import { type WorstCase, worstCaseWords } from '../../llm/worstCase.js';
import { plural, type Translate } from '../../words.js';
import type { EvalWords } from './evalWords.js';

/** `Compared with origin/main (3fa1b2c)`. */
export function baselineTitle({ source, commit }: BaselineReport, words: Pick<EvalWords, 't'>): string {
  const t: Translate = words.t;
  return t('Compared with {0}', commit === null ? source : `${source} (${commit.slice(0, 7)})`);
}

/** The comparison with the baseline, in sentences; empty without one. */
export function baselineSentences({ baseline }: Pick<EvalReport, 'baseline'>, words: EvalWords): readonly string[] {
  if (baseline === null) return [];
  const t: Translate = words.t;
  const { comparisons, counts, drift } = baseline;
  return [
    countSentence(baseline, words),
    ...(comparisons.length === 0 ? [t('No case could be compared.')] : []),
    ...comparisons.map((comparison) => {
      const suite = words.suiteName({ name: comparison.name, version: comparison.version, llm: comparison.after });
      const cases = comparison.cases === 1 ? t('1 case') : t('{0} cases', comparison.cases);
      const sentence = t('{0} compared with the baseline in {1}: {2}.', suite, cases, words.comparisonParts(comparison));
      return [sentence, words.repeatsSentence(comparison)].filter((part) => part !== '').join(' ');
    }),
    ...(drift === null ? [] : driftSentences(drift, words)),
    ...(drift !== null && drift.contradicted.length > 0 && counts.carried > 0 ? [t('Ask all again with --canaries 100.')] : []),
  ];
}

function countSentence({ counts }: BaselineReport, words: EvalWords): string {
  const t: Translate = words.t;
  const { total, changed, test_changed, repeats, expired, canary, carried } = counts;
  const parts = [
    total === 1 ? t('{0} of 1 case carried over', carried) : t('{0} of {1} cases carried over', carried, total),
    ...(changed > 0 ? [t('{0} changed', changed)] : []),
    ...(test_changed > 0 ? [t('{0} not compared because the test changed', test_changed)] : []),
    ...(counts.new > 0 ? [t('{0} new', counts.new)] : []),
    ...(repeats > 0 ? [t('{0} with more repeats', repeats)] : []),
    ...(expired > 0 ? [t('{0} expired', expired)] : []),
    ...(canary > 0 ? [canary === 1 ? t('1 canary asked again') : t('{0} canaries asked again', canary)] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** One changed case may be chance; all canaries together show whether it is. */
function driftSentences({ canaries, contradicted, pass_rate }: DriftReport, words: EvalWords): readonly string[] {
  const t: Translate = words.t;
  if (contradicted.length === 0) return [];
  const names = contradicted.map(({ subject, version, llm, case: name, before, passes, judged }) => {
    const suite = words.suiteName({ name: subject, version, llm });
    return t('{0} {1} ({2} of {3} on {4}, now {5} of {6})', suite, name, before.passes, before.repeats, before.date, passes, judged);
  });
  return [
    t(
      'Drift: {0} of {1} canaries contradict the baseline, though nothing changed in the files: {2}.',
      contradicted.length,
      canaries,
      names.join('; '),
    ),
    {
      better: t('Over all canaries the pass rate is better, so carried verdicts may not hold any more.'),
      worse: t('Over all canaries the pass rate is worse, so carried verdicts may not hold any more.'),
      'no difference seen': t('That may be chance.'),
    }[pass_rate.verdict],
  ];
}

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
  const { total, changed, test_changed, repeats, expired, canary, carried } = counts;
  const parts = [
    `${changed} of ${plural(total, 'case')} changed`,
    ...(test_changed > 0 ? [`${test_changed} with another test`] : []),
    ...(counts.new > 0 ? [`${counts.new} new`] : []),
    ...(repeats > 0 ? [`${repeats} with more repeats`] : []),
    ...(expired > 0 ? [`${expired} expired`] : []),
    ...(canary > 0 ? [`${canary === 1 ? '1 canary' : `${canary} canaries`} asked again`] : []),
    `${carried} carried over`,
  ];
  const without = without_baseline.length === 0 ? '' : `. There is no baseline of ${without_baseline.join(', ')}`;
  return `${parts.join(', ')}; ${cost}${without}`;
}
