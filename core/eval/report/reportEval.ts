import type { CaseReport, EvalReport, OutcomeCounts, SuiteReport } from '../../generated/types.js';
import type { Patterns } from '../../routing/patterns.js';
import type { KeptEval, KeptRun } from '../runner/evalStore.js';
import { type PlannedCase, slotKey } from '../runner/plan.js';
import { detectableDrop } from '../statistics/detectable.js';
import { attemptsOf, suiteRate } from '../statistics/rates.js';
import type { Outcome } from '../types.js';
import { compareSuites, questionsOf } from './compareSuites.js';
import { reportBaseline } from './reportBaseline.js';
import { carriedCase, costOf, reportCase } from './reportCase.js';

/** More cases take too long to simulate, and show small drops anyway. */
const mostSimulated = 200;

/** Grades an eval: a pure function of what was kept. Nothing is asked. */
export function reportEval({ plan, runs, spent }: Pick<KeptEval, 'plan' | 'runs' | 'spent'>, patterns: Patterns): EvalReport {
  const suites = groupsOf(plan.cases).flatMap((group) =>
    plan.llms.map((llm, number): SuiteReport => {
      const made: KeptRun[] = [];
      const cases = group.map(({ planned, index }) => {
        const own = Array.from({ length: planned.repeats }, (_, repeat) => runs.get(slotKey({ case: index, llm: number, repeat })));
        made.push(...own.filter((run) => run !== undefined));
        const verdict = planned.verdicts?.[number];
        if (verdict?.state === 'carried') return carriedCase(planned, verdict);
        return reportCase(planned, own, patterns, { verdict, isCompared: plan.against !== undefined });
      });
      const [first] = group;
      if (first === undefined) throw new Error('A suite has no cases.');
      return suiteOf(first.planned, { llm, cases, runs: made, profiles: plan.llms.length });
    }),
  );
  const cases = countsOf(suites.flatMap((suite) => suite.cases));
  const results = [...runs.values()].flatMap(({ result, judges }) => [result, ...judges.values()]);
  const made = countsOf(suites.flatMap((suite) => suite.cases.flatMap((one) => one.runs)));
  const total = suites.reduce(
    (sum, suite) => sum + suite.cases.reduce((repeats, one) => repeats + (one.state === 'carried' ? 0 : one.repeats), 0),
    0,
  );
  return {
    format: 1,
    eval_id: plan.eval_id,
    started: plan.started,
    outcome: cases.failed > 0 ? 'failed' : cases.unknown > 0 ? 'unknown' : 'passed',
    cases,
    runs: { ...made, total, unknown: total - made.passed - made.failed },
    simulated: suites.some(({ simulated }) => simulated),
    replayed: plan.replay !== null,
    cost_usd: spent,
    cost_incomplete: results.some((result) => costOf(result) === null),
    suites,
    baseline: plan.against === undefined ? null : reportBaseline(plan.against, suites),
    comparisons: compareSuites(suites, plan.llms),
  };
}

interface Member {
  readonly planned: PlannedCase;
  /** In the plan. */
  readonly index: number;
}

/** The cases of each agent or orchestration. */
function groupsOf(cases: readonly PlannedCase[]): readonly (readonly Member[])[] {
  const groups = new Map<string, Member[]>();
  for (const [index, planned] of cases.entries()) {
    const key = `${planned.kind}/${planned.subject}@${planned.version}`;
    const group = groups.get(key) ?? [];
    group.push({ planned, index });
    groups.set(key, group);
  }
  return [...groups.values()];
}

interface SuiteFacts {
  readonly llm: string | null;
  readonly cases: readonly CaseReport[];
  readonly runs: readonly KeptRun[];
  /** Of the whole eval. */
  readonly profiles: number;
}

function suiteOf({ kind, subject, version }: PlannedCase, { llm, cases, runs, profiles }: SuiteFacts): SuiteReport {
  const simulated =
    cases.some(({ state, before }) => state === 'carried' && before?.simulated) ||
    runs.some(({ result, judges }) => [result, ...judges.values()].some(({ metadata }) => metadata.simulated));
  const counts = cases.filter(({ judged }) => judged > 0).map(({ passes, judged }) => ({ passes, repeats: judged }));
  const isMeasured = counts.length > 0 && !simulated;
  const model =
    runs.find(({ result }) => result.metadata.model_name !== null)?.result.metadata.model_name ??
    cases.find(({ state }) => state === 'carried')?.before?.model;
  return {
    kind,
    name: subject,
    version,
    llm,
    model_name: kind === 'agent' && !simulated ? (model ?? null) : null,
    simulated,
    counts: countsOf(cases),
    pass_rate: isMeasured ? suiteRate(counts) : null,
    detectable_drop: isMeasured && counts.length <= mostSimulated ? (detectableDrop(counts, questionsOf(profiles)) ?? null) : null,
    attempts: isMeasured ? (attemptsOf(counts) ?? null) : null,
    cases,
  };
}

function countsOf(all: readonly { readonly outcome: Outcome }[]): OutcomeCounts {
  const count = (wanted: Outcome) => all.filter(({ outcome }) => outcome === wanted).length;
  return { total: all.length, passed: count('passed'), failed: count('failed'), unknown: count('unknown') };
}
