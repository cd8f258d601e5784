import { durationText } from '../../../core/duration.js';
import type { CaseReport, ComparisonReport, EvalReport, MeasureReport, SuiteReport } from '../../../core/eval/report/evalReport.js';
import type { Interval } from '../../../core/eval/statistics/wilsonInterval.js';
import type { Outcome } from '../../../core/eval/types.js';
import { usdText } from '../../../core/money.js';
import { plural } from '../../../core/plural.js';

/** `Tone@v1`, `Tone@v1 with openai`. */
export function suiteName({ name, version, llm }: Pick<SuiteReport, 'name' | 'version' | 'llm'>): string {
  const subject = version === null ? name : `${name}@${version}`;
  return llm === null ? subject : `${subject} with ${llm}`;
}

/** `7 of 10 runs, 95 % 40–89 %`; without an interval where the case ran once. */
export function caseRate({ passes, judged, repeats, interval }: CaseReport): string {
  if (judged === 0) return repeats === 1 ? 'not judged' : `none of ${repeats} runs judged`;
  const unknown = judged < repeats ? `, ${repeats - judged} not judged` : '';
  if (repeats === 1) return passes === 1 ? '1 run' : '0 of 1 run';
  return `${passes} of ${judged} runs${unknown}${interval === null ? '' : `, ${intervalWords(interval)}`}`;
}

export function intervalWords({ low, high }: Interval): string {
  return `95 % ${percent(low)}–${percent(high)} %`;
}

export function percent(share: number): string {
  return String(Math.round(share * 100));
}

/** What an outcome is called. Answers that were made up can meet expectations; pass or fail can only an agent that was asked. */
export function outcomeWord(outcome: Outcome, { simulated }: { readonly simulated: boolean }): string {
  return simulated ? { passed: 'met', failed: 'not met', unknown: 'unknown' }[outcome] : outcome;
}

/** For a title: `failed`, `simulated`. */
export function titleWord({ outcome, simulated }: EvalReport): string {
  if (simulated) return 'simulated';
  return outcome === 'unknown' ? 'could not be judged' : outcome;
}

/** `9 cases: 7 passed, 1 failed, 1 unknown`. */
export function countWords(report: EvalReport, of: 'cases' | 'runs'): string {
  const { total, passed, failed, unknown } = report[of];
  const word = (outcome: Outcome) => outcomeWord(outcome, report);
  const parts = [
    `${passed} ${word('passed')}`,
    ...(failed > 0 ? [`${failed} ${word('failed')}`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ];
  return `${plural(total, of === 'cases' ? 'case' : 'run')}: ${parts.join(', ')}`;
}

/** `9 cases: 7 passed, 2 failed; 45 runs: 40 passed, 5 failed; 0.32 USD`. */
export function totalsSentence(report: EvalReport): string {
  return `${countWords(report, 'cases')}; ${countWords(report, 'runs')}; ${totalCost(report)}`;
}

/** What the whole eval cost. */
export function totalCost({ cost_usd, cost_incomplete, simulated }: EvalReport): string {
  if (simulated && cost_usd === 0) return 'cost simulated';
  if (cost_incomplete && cost_usd === 0) return 'cost unknown';
  return `${cost_incomplete ? 'at least ' : ''}${usdText(cost_usd)}`;
}

/** What has to be known of the numbers before they are read. */
export function warnings({ simulated, replayed }: EvalReport): readonly string[] {
  return [
    ...(simulated
      ? [
          'Simulated: the offline provider made answers up and no model was asked. This is a rehearsal: it says nothing about how good the agents are.',
        ]
      : []),
    ...(replayed ? ['Replayed: recordings answered and no model was asked. Latencies are not those of the model.'] : []),
  ];
}

/** What a suite says as a whole, in sentences. */
export function suiteSentences({ pass_rate, detectable_drop, attempts, counts, simulated }: SuiteReport): readonly string[] {
  if (simulated) return ['Simulated, so there is no pass rate.'];
  // One case is no suite: what is to be said of it stands beside it.
  if (counts.total < 2) return [];
  if (pass_rate === null) return ['Nothing could be judged.'];
  const rate = `Pass rate ${percent(pass_rate.rate)} % (${intervalWords(pass_rate.interval)}).`;
  const tries =
    attempts === null
      ? []
      : [
          `Of ${attempts.k} attempts at a case at least one passes with ${percent(attempts.pass_at_k)} % (pass@${attempts.k}), all with ${percent(attempts.pass_hat_k)} % (pass^${attempts.k}).`,
        ];
  if (detectable_drop !== null) return [rate, ...tries, `A drop of ${percent(detectable_drop)} points or more would be seen.`];
  return counts.total > 200 ? [rate, ...tries] : [rate, ...tries, 'With so few cases and repeats, no drop would be seen.'];
}

/** `openai compared with claude: the pass rate is worse (-20 points, 95 % -34 to -6); ...`. */
export function comparisonSentence(comparison: ComparisonReport): string {
  const { before, after, cases, pass_rate, cost_usd, latency_ms, repeats_to_show } = comparison;
  const points = (share: number) => `${signed(Math.round(share * 100))}`;
  const parts = [
    `pass rate: ${measureWords(pass_rate, points, ' points')}`,
    ...(cost_usd === null
      ? []
      : [`cost a run: ${measureWords(cost_usd, (amount) => `${amount < 0 ? '-' : '+'}${usdText(Math.abs(amount))}`, '')}`]),
    ...(latency_ms === null
      ? []
      : [`latency: ${measureWords(latency_ms, (amount) => `${amount < 0 ? '-' : '+'}${durationText(Math.abs(amount))}`, '')}`]),
  ];
  const more =
    repeats_to_show === null ? '' : ` If the difference in the pass rate is real, ${repeats_to_show} repeats of each case would show it.`;
  return `${after ?? 'own profile'} compared with ${before ?? 'own profile'} in ${plural(cases, 'case')}: ${parts.join('; ')}.${more}`;
}

function measureWords({ difference, interval, verdict }: MeasureReport, text: (amount: number) => string, unit: string): string {
  if (verdict === 'no difference seen' && difference === 0) return verdict;
  return `${verdict} (${text(difference)}${unit}, 95 % ${text(interval.low)} to ${text(interval.high)})`;
}

function signed(amount: number): string {
  return amount > 0 ? `+${amount}` : String(amount);
}
