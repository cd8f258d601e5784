import { roundedUsd } from '../../amounts.js';
import type { BaselineReport, CaseReport, DriftReport, EvalReport, OutcomeCounts, SuiteReport } from '../../generated/types.js';
import type { Patterns } from '../../routing/patterns.js';
import { roundedCost } from '../baseline/baselineFile.js';
import type { KeptEval, KeptRun } from '../runner/evalStore.js';
import { type PlannedCase, type PlannedComparison, slotKey } from '../runner/plan.js';
import { compareRates, verdictOf } from '../statistics/comparePaired.js';
import { detectableDrop } from '../statistics/detectable.js';
import { attemptsOf, suiteRate } from '../statistics/rates.js';
import type { Outcome } from '../types.js';
import { compareSuites, pairsOf, questionsOf } from './compareSuites.js';
import { carriedCase, isReplayed, isSimulated, reportCase } from './reportCase.js';

/** More cases would take too long to simulate, and show small drops anyway. */
const mostSimulated = 200;

/** Grades an eval: a pure function of the stored results. No model is called. */
export function reportEval({ plan, runs, spent, spent_incomplete }: Omit<KeptEval, 'next'>, patterns: Patterns): EvalReport {
  const groups = groupsOf(plan.cases);
  const subjects = groups.flatMap(([first]) => plan.llms.map(() => ({ kind: first.planned.kind, name: first.planned.subject })));
  const questions = questionsOf(pairsOf(subjects, plan.llms.length).length);
  const suites = groups.flatMap((group) =>
    plan.llms.map((llm, number): SuiteReport => {
      const keptRuns: KeptRun[] = [];
      const cases = group.map(({ planned, index }) => {
        const runsOfCase = Array.from({ length: planned.repeats }, (_, repeat) => runs.get(slotKey({ case: index, llm: number, repeat })));
        keptRuns.push(...runsOfCase.filter((run) => run !== undefined));
        const verdict = planned.verdicts?.[number];
        if (verdict?.state === 'carried') return carriedCase(planned, verdict);
        return reportCase(planned, runsOfCase, patterns, { verdict, isCompared: plan.against !== undefined });
      });
      return suiteOf(group[0].planned, { llm, cases, runs: keptRuns, questions });
    }),
  );
  const cases = countsOf(suites.flatMap((suite) => suite.cases));
  const counts = countsOf(suites.flatMap((suite) => suite.cases.flatMap((caseReport) => caseReport.runs)));
  const total = suites.reduce(
    (sum, suite) =>
      sum + suite.cases.reduce((repeats, caseReport) => repeats + (caseReport.state === 'carried' ? 0 : caseReport.repeats), 0),
    0,
  );
  const replayed = plan.replay !== null || suites.some((suite) => suite.replayed);
  return {
    format: 1,
    eval_id: plan.eval_id,
    started: plan.started,
    outcome: cases.failed > 0 ? 'failed' : cases.unknown > 0 ? 'unknown' : 'passed',
    cases,
    runs: { ...counts, total, unknown: total - counts.passed - counts.failed },
    simulated: suites.some(({ simulated }) => simulated),
    replayed,
    cost_usd: roundedUsd(spent),
    cost_incomplete: spent_incomplete,
    suites,
    baseline: plan.against === undefined ? null : reportBaseline(plan.against, suites),
    comparisons: compareSuites(pairsOf(suites, plan.llms.length), { areInTurns: plan.seed !== undefined && !replayed }),
  };
}

interface Member {
  readonly planned: PlannedCase;
  /** Index in the plan. */
  readonly index: number;
}

/** The cases of each agent or orchestration. */
function groupsOf(cases: readonly PlannedCase[]): readonly (readonly [Member, ...Member[]])[] {
  const groups = new Map<string, [Member, ...Member[]]>();
  for (const [index, planned] of cases.entries()) {
    const key = `${planned.kind}/${planned.subject}@${planned.version}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ planned, index }]);
    else group.push({ planned, index });
  }
  return [...groups.values()];
}

interface SuiteFacts {
  readonly llm: string | null;
  readonly cases: readonly CaseReport[];
  readonly runs: readonly KeptRun[];
  /** The number of questions of the whole eval, for `detectableDrop`. */
  readonly questions: number;
}

function suiteOf({ kind, subject, version }: PlannedCase, { llm, cases, runs, questions }: SuiteFacts): SuiteReport {
  const simulated = cases.some(({ state, before }) => state === 'carried' && before?.simulated) || runs.some(isSimulated);
  const counts = cases.filter(({ judged }) => judged > 0).map(({ passes, judged }) => ({ passes, repeats: judged }));
  const isMeasured = counts.length > 0 && !simulated;
  const model =
    runs.flatMap(({ turns }) => turns).find(({ result: { metadata } }) => metadata.model_name !== null && metadata.provider !== 'offline')
      ?.result.metadata.model_name ?? cases.find(({ state }) => state === 'carried')?.before?.model;
  return {
    kind,
    name: subject,
    version,
    llm,
    model_name: kind === 'agent' && !simulated ? (model ?? null) : null,
    simulated,
    replayed: runs.some(isReplayed),
    counts: countsOf(cases),
    pass_rate: isMeasured ? suiteRate(counts) : null,
    detectable_drop: isMeasured && counts.length <= mostSimulated ? (detectableDrop(counts, questions) ?? null) : null,
    attempts: isMeasured ? (attemptsOf(counts) ?? null) : null,
    cases,
  };
}

function countsOf(all: readonly { readonly outcome: Outcome }[]): OutcomeCounts {
  const count = (wanted: Outcome) => all.filter(({ outcome }) => outcome === wanted).length;
  return { total: all.length, passed: count('passed'), failed: count('failed'), unknown: count('unknown') };
}

/** The comparison of an eval with its baseline: a pure function of the cases and their earlier verdicts. */
function reportBaseline({ source, commit }: PlannedComparison, suites: readonly SuiteReport[]): BaselineReport {
  const cases = suites.flatMap((suite) => suite.cases);
  const counts = { total: cases.length, new: 0, changed: 0, test_changed: 0, expired: 0, repeats: 0, canary: 0, carried: 0 };
  for (const { state = 'new' } of cases) counts[state] += 1;
  const comparisons = compareSuites(
    suites.map((suite) => ({ before: beforeOf(suite), after: afterOf(suite) })),
    { areInTurns: false },
  );
  const verdicts = comparisons.map(({ pass_rate }) => pass_rate.verdict);
  const verdict = verdicts.includes('worse') ? 'worse' : verdicts.includes('better') ? 'better' : (verdicts[0] ?? null);
  return { source, commit, counts, verdict, comparisons, drift: driftOf(suites) };
}

/**
 * The suite as it was in the baseline. Cases that are missing there, cases whose test changed, and simulated answers beside real ones count as not
 * judged.
 */
function beforeOf(suite: SuiteReport): SuiteReport {
  const cases = suite.cases.map((caseReport): CaseReport => {
    const { before, state } = caseReport;
    if (before === undefined || state === 'test_changed' || before.simulated !== suite.simulated)
      return { ...caseReport, passes: 0, judged: 0 };
    const { passes, repeats, cost_usd } = before;
    return { ...caseReport, passes, judged: repeats, mean_cost_usd: null, mean_uncached_cost_usd: cost_usd };
  });
  return { ...suite, cases };
}

/** The suite with costs rounded as in the file, so that rounding makes no difference. */
function afterOf(suite: SuiteReport): SuiteReport {
  const cases = suite.cases.map((caseReport) => ({
    ...caseReport,
    mean_uncached_cost_usd: caseReport.mean_uncached_cost_usd === null ? null : roundedCost(caseReport.mean_uncached_cost_usd),
  }));
  return { ...suite, cases };
}

/** The same requests to the same model name: a difference is a changed model, or chance. */
function driftOf(suites: readonly SuiteReport[]): DriftReport | null {
  const canaries = suites.flatMap((suite) =>
    suite.cases.flatMap((caseReport) => {
      const { before } = caseReport;
      return caseReport.state === 'canary' && before !== undefined && caseReport.judged > 0 && !suite.simulated
        ? [{ suite, caseReport, before }]
        : [];
    }),
  );
  if (canaries.length === 0) return null;
  const rate = compareRates(
    canaries.map(({ caseReport, before }) => ({
      before: { passes: before.passes, repeats: before.repeats },
      after: { passes: caseReport.passes, repeats: caseReport.judged },
    })),
  );
  const { difference, interval, p_value } = rate;
  return {
    canaries: canaries.length,
    contradicted: canaries.flatMap(({ suite, caseReport, before }) => {
      const passed = before.passes >= Math.ceil(caseReport.required_rate * before.repeats - 1e-9);
      const isOther = caseReport.outcome !== 'unknown' && passed !== (caseReport.outcome === 'passed');
      if (!isOther) return [];
      const { name: subject, version, llm } = suite;
      return [{ subject, version, llm, case: caseReport.name, before, passes: caseReport.passes, judged: caseReport.judged }];
    }),
    pass_rate: { difference, interval, p_value, verdict: verdictOf(rate, p_value, 'better') },
  };
}
