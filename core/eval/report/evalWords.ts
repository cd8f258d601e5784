import { durationText, usdText } from '../../amounts.js';
import type { CaseReport, ComparisonReport, EvalReport, MeasureReport, SuiteReport } from '../../generated/types.js';
import { inEnglish, type Translate } from '../../words.js';
import type { Interval } from '../statistics/rates.js';
import type { Outcome } from '../types.js';

/** What reports say of the numbers of an eval, in one language. */
export interface EvalWords {
  readonly t: Translate;
  /** What an outcome is called. Answers that were made up can meet expectations; pass or fail can only an agent that was asked. */
  outcomeWord(outcome: Outcome, of: { readonly simulated: boolean }): string;
  /** For a title: `failed`, `simulated`, `worse than the baseline`. */
  titleWord(report: Pick<EvalReport, 'outcome' | 'simulated' | 'baseline'>): string;
  /** `Tone@v1`, `Tone@v1 with openai`. */
  suiteName(suite: Pick<SuiteReport, 'name' | 'version' | 'llm'>): string;
  /** What answered a suite, to follow its name: ` (gpt-5.4-mini)`, ` (simulated)`, ` (replayed)`; empty where it is not known. */
  sourceOf(suite: Pick<SuiteReport, 'simulated' | 'replayed' | 'model_name'>): string;
  /** A profile, or the agent's own. */
  profile(llm: string | null): string;
  /** `7 of 10 runs, 95 % 40–89 %`, without an interval where the case ran once; and what the baseline says of it. */
  caseRate(caseReport: Pick<CaseReport, 'passes' | 'judged' | 'repeats' | 'interval' | 'state' | 'before'>): string;
  /** What a case came to beside its baseline: `carried over from 2026-05-01`. Empty where nothing was compared. */
  baselineNote(caseReport: Pick<CaseReport, 'state' | 'before'>): string;
  interval(interval: Interval): string;
  /** `9 cases: 7 passed, 1 failed, 1 unknown`. */
  countWords(report: Counted, of: 'cases' | 'runs'): string;
  /** `9 cases: 7 passed, 2 failed; 45 runs: 40 passed, 5 failed; 0.32 USD`. */
  totalsSentence(report: EvalReport): string;
  /** What the whole eval cost. */
  totalCost(report: EvalReport): string;
  /** What has to be known of the numbers before they are read. */
  warnings(report: EvalReport): readonly string[];
  /** What a suite says as a whole, in sentences. */
  suiteSentences(suite: SuiteReport): readonly string[];
  /**
   * `openai compared with claude in 9 cases: pass rate: worse (-20 points, 95 % -34 to -6); ...`, or of two versions: `Tone@v2 compared with
   * Tone@v1 ...`.
   */
  comparisonSentence(comparison: ComparisonReport): string;
  /** `pass rate: worse (-20 points, 95 % -34 to -6); cost a run: no difference seen`. */
  comparisonParts(comparison: ComparisonReport): string;
  /** What would show a difference, to follow a sentence; empty where there is nothing to add. */
  repeatsSentence(comparison: ComparisonReport): string;
  usd(amount: number): string;
  duration(milliseconds: number): string;
}

type Counted = Pick<EvalReport, 'cases' | 'runs' | 'simulated'>;

/** @param language BCP 47, for numbers */
export function createEvalWords(t: Translate = inEnglish, language = 'en'): EvalWords {
  const usd = (amount: number) => usdText(amount, language);
  const duration = (milliseconds: number) => durationText(milliseconds, language);
  const outcomes: Readonly<Record<Outcome, string>> = { passed: t('passed'), failed: t('failed'), unknown: t('unknown') };
  const madeUp: Readonly<Record<Outcome, string>> = { passed: t('met'), failed: t('not met'), unknown: t('unknown') };
  const outcomeWord: EvalWords['outcomeWord'] = (outcome, { simulated }) => (simulated ? madeUp : outcomes)[outcome];
  const profile = (llm: string | null) => llm ?? t('own profile');
  const suiteName: EvalWords['suiteName'] = ({ name, version, llm }) => {
    const subject = version === null ? name : `${name}@${version}`;
    return llm === null ? subject : t('{0} with {1}', subject, llm);
  };
  const interval = ({ low, high }: Interval) => `95 % ${percent(low)}–${percent(high)} %`;

  function measureWords({ difference, interval: range, verdict }: MeasureReport, text: (amount: number) => string, shown = text): string {
    const word = { better: t('better'), worse: t('worse'), 'no difference seen': t('no difference seen') }[verdict];
    if (verdict === 'no difference seen' && difference === 0) return word;
    return t('{0} ({1}, 95 % {2} to {3})', word, shown(difference), text(range.low), text(range.high));
  }
  const points = (share: number) => {
    const amount = Math.round(share * 100);
    return amount > 0 ? `+${amount}` : String(amount);
  };
  const signed = (text: (amount: number) => string) => (amount: number) => `${amount < 0 ? '-' : '+'}${text(Math.abs(amount))}`;
  const caseCount = (count: number) => (count === 1 ? t('1 case') : t('{0} cases', count));

  function countWords(report: Counted, of: 'cases' | 'runs'): string {
    const { total, passed, failed, unknown } = report[of];
    const isMadeUp = report.simulated;
    const runs = total === 1 ? t('1 run') : t('{0} runs', total);
    const parts = [
      isMadeUp ? t('{0} met', passed) : t('{0} passed', passed),
      ...(failed > 0 ? [isMadeUp ? t('{0} not met', failed) : t('{0} failed', failed)] : []),
      ...(unknown > 0 ? [t('{0} unknown', unknown)] : []),
    ];
    return `${of === 'cases' ? caseCount(total) : runs}: ${parts.join(', ')}`;
  }

  function totalCost({ cost_usd, cost_incomplete, simulated }: EvalReport): string {
    if (simulated && cost_usd === 0) return t('cost simulated');
    if (cost_incomplete && cost_usd === 0) return t('cost unknown');
    return cost_incomplete ? t('at least {0}', usd(cost_usd)) : usd(cost_usd);
  }

  function rateWords({ passes, judged, repeats, interval: range }: Pick<CaseReport, 'passes' | 'judged' | 'repeats' | 'interval'>): string {
    if (judged === 0) return repeats === 1 ? t('not judged') : t('none of {0} runs judged', repeats);
    if (repeats === 1) return passes === 1 ? t('1 run') : t('0 of 1 run');
    const unknown = judged < repeats ? [t('{0} not judged', repeats - judged)] : [];
    return [t('{0} of {1} runs', passes, judged), ...unknown, ...(range === null ? [] : [interval(range)])].join(', ');
  }

  const baselineNote: EvalWords['baselineNote'] = ({ state, before }) => {
    if (state === undefined) return '';
    if (before === undefined) return t('new');
    const { passes, repeats, date } = before;
    if (state === 'carried') return t('carried over from {0}', date);
    if (state === 'test_changed') return t('was {0} of {1} on {2}, before the test changed', passes, repeats, date);
    return state === 'canary'
      ? t('canary: was {0} of {1} on {2}', passes, repeats, date)
      : t('was {0} of {1} on {2}', passes, repeats, date);
  };

  const costWords = ({
    cost_usd,
    billed_difference_usd: billed,
  }: Pick<ComparisonReport, 'cost_usd' | 'billed_difference_usd'>): readonly string[] => {
    if (cost_usd === null) return [];
    const cost = measureWords(cost_usd, signed(usd));
    if (billed === null || billed === cost_usd.difference) return [t('cost a run: {0}', cost)];
    return [t('cost a run without the discounts of caches: {0}, billed {1}', cost, signed(usd)(billed))];
  };

  const comparisonParts: EvalWords['comparisonParts'] = (comparison) => {
    const { pass_rate, latency_ms } = comparison;
    return [
      t(
        'pass rate: {0}',
        measureWords(pass_rate, points, (share) => t('{0} points', points(share))),
      ),
      ...costWords(comparison),
      ...(latency_ms === null ? [] : [t('latency, asked in turns: {0}', measureWords(latency_ms, signed(duration)))]),
    ].join('; ');
  };

  const repeatsSentence: EvalWords['repeatsSentence'] = ({ repeats_to_show }) =>
    repeats_to_show === null
      ? ''
      : t('If the difference in the pass rate is real, {0} repeats of each case would show it.', repeats_to_show);

  return {
    t,
    usd,
    duration,
    profile,
    interval,
    outcomeWord,
    countWords,
    totalCost,
    titleWord({ outcome, simulated, baseline }) {
      if (simulated) return t('simulated');
      if (outcome === 'passed' && baseline?.verdict === 'worse') return t('worse than the baseline');
      return outcome === 'unknown' ? t('could not be judged') : outcomes[outcome];
    },
    totalsSentence: (report) => [countWords(report, 'cases'), countWords(report, 'runs'), totalCost(report)].join('; '),
    suiteName,
    sourceOf({ simulated, replayed, model_name }) {
      const parts = [...(simulated ? [t('simulated')] : model_name === null ? [] : [model_name]), ...(replayed ? [t('replayed')] : [])];
      return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
    },
    baselineNote,
    caseRate(caseReport) {
      const note = baselineNote(caseReport);
      return note === '' ? rateWords(caseReport) : `${rateWords(caseReport)}, ${note}`;
    },
    warnings({ simulated, replayed }) {
      return [
        ...(simulated
          ? [
              t(
                'Simulated: the offline provider made answers up and no model was asked. This is a rehearsal: it says nothing about how good the agents are.',
              ),
            ]
          : []),
        ...(replayed ? [t('Replayed: recordings answered and no model was asked. Latencies are not those of the model.')] : []),
      ];
    },
    suiteSentences({ pass_rate, detectable_drop, attempts, counts, simulated }) {
      if (simulated) return [t('Simulated, so there is no pass rate.')];
      // One case is not a suite: what is to be said of it stands beside it.
      if (counts.total < 2) return [];
      if (pass_rate === null) return [t('Nothing could be judged.')];
      const rate = t('Pass rate {0} % ({1}).', percent(pass_rate.rate), interval(pass_rate.interval));
      const tries =
        attempts === null
          ? []
          : [
              t(
                'Of {0} attempts at a case at least one passes with {1} % (pass@{0}), all with {2} % (pass^{0}).',
                attempts.k,
                percent(attempts.pass_at_k),
                percent(attempts.pass_hat_k),
              ),
            ];
      const parts = [rate, ...tries];
      if (detectable_drop !== null) return [...parts, t('A drop of {0} points or more would be seen.', percent(detectable_drop))];
      return counts.total > 200 ? parts : [...parts, t('With so few cases and repeats, no drop would be seen.')];
    },
    comparisonParts,
    repeatsSentence,
    comparisonSentence(comparison) {
      const { name, version, before_version, before, after, cases } = comparison;
      const isOther = version !== before_version;
      const sentence = t(
        '{0} compared with {1} in {2}: {3}.',
        isOther ? suiteName({ name, version, llm: after }) : profile(after),
        isOther ? suiteName({ name, version: before_version, llm: before }) : profile(before),
        caseCount(cases),
        comparisonParts(comparison),
      );
      return [sentence, repeatsSentence(comparison)].filter((part) => part !== '').join(' ');
    },
  };
}

export function percent(share: number): string {
  return String(Math.round(share * 100));
}
