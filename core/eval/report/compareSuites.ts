import type { CaseReport, ComparisonReport, MeasureReport, SuiteReport } from '../../generated/types.js';
import { compareMeasures, compareRates, type Difference, holm, type Pair, verdictOf } from '../statistics/comparePaired.js';
import { repeatsToShow } from '../statistics/detectable.js';

/** More cases take too long to simulate. */
const mostSimulated = 200;

/** Pass rate, cost and latency of each further profile; of a single one, those that its comparison with another version would ask. */
export function questionsOf(profiles: number): number {
  return 3 * Math.max(1, profiles - 1);
}

interface Compared {
  readonly before: SuiteReport;
  readonly after: SuiteReport;
  readonly pairs: readonly Pair<CaseReport>[];
  readonly rate: Difference;
  readonly cost: Difference | undefined;
  readonly latency: Difference | undefined;
}

/** Every profile with the first one, paired by case. Simulated answers are not compared: they would look like a measurement. */
export function compareSuites(suites: readonly SuiteReport[], llms: readonly (string | null)[]): readonly ComparisonReport[] {
  const compared: Compared[] = [];
  for (let start = 0; start < suites.length; start += llms.length) {
    const [before, ...others] = suites.slice(start, start + llms.length);
    for (const after of others) {
      if (before === undefined || before.simulated || after.simulated) continue;
      const pairs = before.cases.flatMap((caseReport, index) => {
        const other = after.cases[index];
        return other !== undefined && caseReport.judged > 0 && other.judged > 0 ? [{ before: caseReport, after: other }] : [];
      });
      if (pairs.length > 0) compared.push(compare(before, after, pairs));
    }
  }
  // One question each: pass rate, cost and latency of every pair.
  const questions = compared.flatMap(({ rate, cost, latency }) => [rate, cost, latency].filter((difference) => difference !== undefined));
  const adjusted = holm(questions.map(({ p_value }) => p_value));
  const adjustedOf = new Map(questions.map((difference, index) => [difference, adjusted[index] ?? 1]));
  return compared.map(({ before, after, pairs, rate, cost, latency }): ComparisonReport => {
    const reportMeasure = (difference: Difference, more: 'better' | 'worse'): MeasureReport => {
      const p_value = adjustedOf.get(difference) ?? 1;
      const { difference: amount, interval } = difference;
      return { difference: amount, interval, p_value, verdict: verdictOf(difference, p_value, more) };
    };
    const { kind, name, version } = before;
    const pass_rate = reportMeasure(rate, 'better');
    const isOpen = pass_rate.verdict === 'no difference seen' && rate.difference !== 0 && pairs.length <= mostSimulated;
    return {
      kind,
      name,
      version,
      before: before.llm,
      after: after.llm,
      cases: pairs.length,
      pass_rate,
      cost_usd: cost === undefined ? null : reportMeasure(cost, 'worse'),
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

function compare(before: SuiteReport, after: SuiteReport, pairs: readonly Pair<CaseReport>[]): Compared {
  const measure = (of: (caseReport: CaseReport) => number | null): Difference | undefined => {
    const measured = pairs.flatMap((pair) => {
      const [left, right] = [of(pair.before), of(pair.after)];
      return left === null || right === null ? [] : [{ before: left, after: right }];
    });
    return measured.length === 0 ? undefined : compareMeasures(measured);
  };
  return {
    before,
    after,
    pairs,
    rate: compareRates(pairs.map((pair) => ({ before: countsOf(pair.before), after: countsOf(pair.after) }))),
    cost: measure(({ mean_cost_usd }) => mean_cost_usd),
    latency: measure(({ mean_latency_ms }) => mean_latency_ms),
  };
}

function countsOf({ passes, judged }: CaseReport) {
  return { passes, repeats: judged };
}
