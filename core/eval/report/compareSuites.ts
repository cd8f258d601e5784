import { roundedUsd } from '../../amounts.js';
import type { CaseReport, ComparisonReport, MeasureReport, SuiteReport } from '../../generated/types.js';
import { compareMeasures, compareRates, type Difference, holm, type Pair, verdictOf } from '../statistics/comparePaired.js';
import { repeatsToShow } from '../statistics/detectable.js';
import { mean } from '../statistics/rates.js';

/** More cases would take too long to simulate. */
const mostSimulated = 200;

/** Pass rate, cost and latency of each comparison; without one, as for a comparison with another version. */
export function questionsOf(comparisons: number): number {
  return 3 * Math.max(1, comparisons);
}

/**
 * The pairs to compare: each further profile with the first one, and each further version of an agent with the one named first, with the same
 * profile.
 *
 * @param suites one per profile of the first agent or orchestration, then of the next
 * @param profiles the number of suites of each
 */
export function pairsOf<Suite extends Pick<SuiteReport, 'kind' | 'name'>>(
  suites: readonly Suite[],
  profiles: number,
): readonly Pair<Suite>[] {
  const firstVersions = new Map<string, readonly Suite[]>();
  const pairs: Pair<Suite>[] = [];
  for (let start = 0; start < suites.length; start += profiles) {
    const byProfile = suites.slice(start, start + profiles);
    const [first, ...others] = byProfile;
    if (first === undefined) continue;
    pairs.push(...others.map((after) => ({ before: first, after })));
    const key = `${first.kind}/${first.name}`;
    const earlier = firstVersions.get(key);
    if (earlier === undefined) firstVersions.set(key, byProfile);
    for (const [profile, before] of (earlier ?? []).entries()) {
      const after = byProfile[profile];
      if (after !== undefined) pairs.push({ before, after });
    }
  }
  return pairs;
}

interface Compared {
  readonly before: SuiteReport;
  readonly after: SuiteReport;
  readonly pairs: readonly Pair<CaseReport>[];
  readonly rate: Difference;
  /** Without the discounts of caches: the first subject would pay for the others. */
  readonly cost: Difference | undefined;
  /** USD: the mean difference of the billed cost. */
  readonly billed: number | null;
  readonly latency: Difference | undefined;
}

/**
 * Compares suites, paired by case. Simulated answers are not compared: the result would look like a measurement.
 *
 * @param areInTurns whether both sides of each pair alternated, so that only chance decided which one hit a slow minute
 */
export function compareSuites(
  suites: readonly Pair<SuiteReport>[],
  { areInTurns }: { readonly areInTurns: boolean },
): readonly ComparisonReport[] {
  const compared = suites.flatMap(({ before, after }): readonly Compared[] => {
    if (before.simulated || after.simulated) return [];
    const afterCases = new Map(after.cases.map((caseReport) => [identityOf(caseReport), caseReport]));
    const pairs = before.cases.flatMap((caseReport) => {
      const afterCase = afterCases.get(identityOf(caseReport));
      return afterCase !== undefined && caseReport.judged > 0 && afterCase.judged > 0 ? [{ before: caseReport, after: afterCase }] : [];
    });
    return pairs.length === 0 ? [] : [compare(before, after, pairs, areInTurns)];
  });
  // Pass rate, cost and latency of every pair are one question each.
  const questions = compared.flatMap(({ rate, cost, latency }) => [rate, cost, latency].filter((difference) => difference !== undefined));
  const adjusted = holm(questions.map(({ p_value }) => p_value));
  const adjustedOf = new Map(questions.map((difference, index) => [difference, adjusted[index] ?? 1]));
  return compared.map(({ before, after, pairs, rate, cost, billed, latency }): ComparisonReport => {
    const reportMeasure = (difference: Difference, more: 'better' | 'worse', rounded = (amount: number) => amount): MeasureReport => {
      const p_value = adjustedOf.get(difference) ?? 1;
      const { difference: amount, interval } = difference;
      const { low, high } = interval;
      const roundedInterval = { low: rounded(low), high: rounded(high) };
      return { difference: rounded(amount), interval: roundedInterval, p_value, verdict: verdictOf(difference, p_value, more) };
    };
    const { kind, name, version } = after;
    const pass_rate = reportMeasure(rate, 'better');
    const isOpen = pass_rate.verdict === 'no difference seen' && rate.difference !== 0 && pairs.length <= mostSimulated;
    return {
      kind,
      name,
      version,
      before_version: before.version,
      before: before.llm,
      after: after.llm,
      cases: pairs.length,
      pass_rate,
      cost_usd: cost === undefined ? null : reportMeasure(cost, 'worse', roundedUsd),
      billed_difference_usd: billed && roundedUsd(billed),
      latency_ms: latency === undefined ? null : reportMeasure(latency, 'worse'),
      repeats_to_show: isOpen
        ? (repeatsToShow(
            rate.difference,
            pairs.map(({ before: caseReport }) => countsOf(caseReport)),
            questions.length,
          ) ?? null)
        : null,
    };
  });
}

function compare(before: SuiteReport, after: SuiteReport, pairs: readonly Pair<CaseReport>[], areInTurns: boolean): Compared {
  const measured = (of: (caseReport: CaseReport) => number | null, among = pairs): readonly Pair<number>[] =>
    among.flatMap((pair) => {
      const [left, right] = [of(pair.before), of(pair.after)];
      return left === null || right === null ? [] : [{ before: left, after: right }];
    });
  const differenceOf = (values: readonly Pair<number>[]) => (values.length === 0 ? undefined : compareMeasures(values));
  const billed = measured(({ mean_cost_usd }) => mean_cost_usd);
  const together = areInTurns ? pairs.filter(isOfOneProcess) : [];
  return {
    before,
    after,
    pairs,
    rate: compareRates(pairs.map((pair) => ({ before: countsOf(pair.before), after: countsOf(pair.after) }))),
    cost: differenceOf(measured(({ mean_uncached_cost_usd }) => mean_uncached_cost_usd)),
    billed: billed.length === 0 ? null : mean(billed.map((pair) => pair.after - pair.before)),
    latency: differenceOf(measured(({ mean_latency_ms }) => mean_latency_ms, together)),
  };
}

/** Runs of different processes were made at different times, so their latencies do not compare. */
function isOfOneProcess({ before, after }: Pair<CaseReport>): boolean {
  return new Set([...before.runs, ...after.runs].map(({ process }) => process)).size === 1;
}

function identityOf({ file, name }: CaseReport): string {
  return `${file} ${name}`;
}

function countsOf({ passes, judged }: CaseReport) {
  return { passes, repeats: judged };
}
