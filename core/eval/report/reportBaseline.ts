import type { BaselineReport, CaseReport, DriftReport, SuiteReport } from '../../generated/types.js';
import { roundedCost } from '../baseline/baselineText.js';
import type { PlannedComparison } from '../runner/plan.js';
import { compareRates, verdictOf } from '../statistics/comparePaired.js';
import { compareSuites } from './compareSuites.js';

/** What an eval came to beside its baseline: a pure function of the cases and what was known of them before. */
export function reportBaseline({ source, commit }: PlannedComparison, suites: readonly SuiteReport[]): BaselineReport {
  const cases = suites.flatMap((suite) => suite.cases);
  const counts = { total: cases.length, new: 0, changed: 0, expired: 0, repeats: 0, canary: 0, carried: 0 };
  for (const { state = 'new' } of cases) counts[state] += 1;
  const pairs = suites.flatMap((suite) => [beforeOf(suite), afterOf(suite)]);
  const comparisons = compareSuites(pairs, [null, null]);
  const verdicts = comparisons.map(({ pass_rate }) => pass_rate.verdict);
  const verdict = verdicts.includes('worse') ? 'worse' : verdicts.includes('better') ? 'better' : (verdicts[0] ?? null);
  return { source, commit, counts, verdict, comparisons, drift: driftOf(suites) };
}

/** The suite as it was: cases that the baseline does not know count as not judged, and so do made-up answers beside those of a model. */
function beforeOf(suite: SuiteReport): SuiteReport {
  const cases = suite.cases.map((one): CaseReport => {
    const { before } = one;
    if (before === undefined || before.simulated !== suite.simulated) return { ...one, passes: 0, judged: 0 };
    const { passes, repeats, cost_usd } = before;
    return { ...one, passes, judged: repeats, mean_cost_usd: cost_usd, mean_latency_ms: null };
  });
  return { ...suite, cases };
}

/** Costs are as exact as those of the file, so that a difference is none of rounding. */
function afterOf(suite: SuiteReport): SuiteReport {
  const cases = suite.cases.map((one) => ({ ...one, mean_cost_usd: one.mean_cost_usd === null ? null : roundedCost(one.mean_cost_usd) }));
  return { ...suite, cases };
}

/** The same questions to the same model name: what differs is the model behind it, or chance. */
function driftOf(suites: readonly SuiteReport[]): DriftReport | null {
  const canaries = suites.flatMap((suite) =>
    suite.cases.flatMap((one) => {
      const { before } = one;
      return one.state === 'canary' && before !== undefined && one.judged > 0 && !suite.simulated ? [{ suite, one, before }] : [];
    }),
  );
  if (canaries.length === 0) return null;
  const rate = compareRates(
    canaries.map(({ one, before }) => ({
      before: { passes: before.passes, repeats: before.repeats },
      after: { passes: one.passes, repeats: one.judged },
    })),
  );
  const { difference, interval, p_value } = rate;
  return {
    canaries: canaries.length,
    contradicted: canaries.flatMap(({ suite, one, before }) => {
      const passed = before.passes >= Math.ceil(one.required_rate * before.repeats - 1e-9);
      const isOther = one.outcome !== 'unknown' && passed !== (one.outcome === 'passed');
      if (!isOther) return [];
      const { name: subject, version, llm } = suite;
      return [{ subject, version, llm, case: one.name, before, passes: one.passes, judged: one.judged }];
    }),
    pass_rate: { difference, interval, p_value, verdict: verdictOf(rate, p_value, 'better') },
  };
}
