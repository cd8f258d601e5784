import { uncachedCostOf } from '../../agent/runUsage.js';
import { roundedUsd } from '../../amounts.js';
import type { CaseReport, ReasonReport } from '../../generated/types.js';
import type { Patterns } from '../../routing/patterns.js';
import type { PlannedVerdict } from '../baseline/planVerdicts.js';
import { gradeCase, gradeRun } from '../gradeRun.js';
import { costOf, type KeptRun } from '../runner/evalStore.js';
import type { PlannedCase } from '../runner/plan.js';
import { mean, wilsonInterval } from '../statistics/rates.js';
import type { GradedExpectation, GradedRepeat } from '../types.js';

const notRun: GradedRepeat = { outcome: 'unknown', cause: 'It was not run.', expectations: [] };

export interface VerdictFacts {
  /** Of the profile; undefined in evals of earlier versions. */
  readonly verdict: PlannedVerdict | undefined;
  /** Whether it is compared with a baseline. */
  readonly isCompared: boolean;
}

/** Grades one case with one profile. @param runs by repeat; undefined where it was not made */
export function reportCase(
  planned: PlannedCase,
  runs: readonly (KeptRun | undefined)[],
  patterns: Patterns,
  { verdict, isCompared }: VerdictFacts = { verdict: undefined, isCompared: false },
): CaseReport {
  const { expect, expected, repeats, pass_rate } = planned;
  const entries = expect.map(({ entry }) => entry);
  const graded = runs.map((run) => (run === undefined ? notRun : gradeRun(entries, { ...run, expected, patterns })));
  const { outcome, passes, judged } = gradeCase(graded, pass_rate);
  const results = runs.filter((run) => run !== undefined).map(({ result }) => result);
  const calls = runs.flatMap((run) => (run === undefined ? [] : [run.result, ...run.judges.values()]));
  const bad = runs.find((_, index) => graded[index]?.outcome === 'failed')?.result;
  const answer = bad?.output ?? bad?.text;
  const simulated = calls.some(({ metadata }) => metadata.simulated);
  return {
    ...factsOf(planned, { outcome, simulated, passes, judged, repeats }),
    replayed: runs.some((run) => run !== undefined && isReplayed(run)),
    mean_cost_usd: meanUsdOf(results.map(costOf)),
    mean_uncached_cost_usd: meanUsdOf(results.map((result) => (costOf(result) === null ? null : uncachedCostOf(result.metadata)))),
    mean_latency_ms: meanOf(results.map(({ metadata }) => (metadata.iterations > 0 ? metadata.execution_time_ms : null))),
    input_tokens: sum(results, ({ metadata }) => metadata.token_usage.prompt_tokens),
    output_tokens: sum(results, ({ metadata }) => metadata.token_usage.completion_tokens),
    key: verdict?.key ?? null,
    test: verdict?.test ?? null,
    ...(isCompared && verdict !== undefined && { state: verdict.state, ...(verdict.before !== null && { before: verdict.before }) }),
    reasons: reasonsOf(planned, graded),
    ...(answer !== undefined && answer !== '' && { answer }),
    runs: runs.flatMap((run, index) =>
      run === undefined
        ? []
        : [
            {
              repeat: index + 1,
              run_id: run.result.run_id,
              outcome: graded[index]?.outcome ?? 'unknown',
              cost_usd: costOf(run.result),
              latency_ms: run.result.metadata.execution_time_ms,
              process: run.process,
            },
          ],
    ),
  };
}

type Judged = Pick<CaseReport, 'outcome' | 'simulated' | 'passes' | 'judged' | 'repeats'>;

/** Which case it is, and how often it passed, whether it was asked now or its verdict is carried over. */
export function factsOf({ name, file, pointer, tags, expected, pass_rate }: PlannedCase, judged: Judged) {
  return {
    name,
    file,
    pointer,
    tags,
    ...judged,
    required_rate: pass_rate,
    interval: judged.judged === 0 || judged.simulated ? null : wilsonInterval(judged.passes, judged.judged),
    ...(expected !== undefined && { expected }),
  };
}

function reasonsOf({ pointer, expect }: PlannedCase, graded: readonly GradedRepeat[]): readonly ReasonReport[] {
  const reasons = new Map<string, { readonly reason: ReasonReport; repeats: number }>();
  const add = (place: string, outcome: ReasonReport['outcome'], reason: string, { actual, wanted }: Partial<GradedExpectation> = {}) => {
    // A long value is cut off in its reason.
    const key = JSON.stringify([place, outcome, reason, actual ?? null]);
    const values = { ...(actual !== undefined && { actual }), ...(wanted !== undefined && { wanted }) };
    const counted = reasons.get(key) ?? { reason: { pointer: place, outcome, reason, repeats: 0, ...values }, repeats: 0 };
    counted.repeats += 1;
    reasons.set(key, counted);
  };
  for (const { outcome, cause, expectations } of graded) {
    // Of the case, since it holds for all its expectations.
    if (cause !== undefined) add(pointer, outcome === 'failed' ? 'failed' : 'unknown', cause);
    // What could not be asked says the same of every expectation.
    const said = new Set([cause]);
    for (const [index, expectation] of expectations.entries()) {
      const { outcome: judgement, reason } = expectation;
      if (judgement === 'passed') continue;
      const isSame = outcome === 'unknown' && said.has(reason);
      said.add(reason);
      if (!isSame) add(expect[index]?.pointer ?? pointer, judgement, reason, expectation);
    }
  }
  const order = ({ outcome, pointer: place }: ReasonReport) => (outcome === 'failed' ? 0 : 2) + (place === pointer ? 0 : 1);
  return [...reasons.values()]
    .map(({ reason, repeats }) => ({ ...reason, repeats }))
    .sort((a, b) => order(a) - order(b) || b.repeats - a.repeats);
}

/** Whether a recording answered, the agent or one of its judges. */
export function isReplayed({ result, judges }: KeptRun): boolean {
  return [result, ...judges.values()].some(({ metadata }) => metadata.recorded_cost_usd !== undefined);
}

function meanUsdOf(costs: readonly (number | null)[]): number | null {
  const cost = meanOf(costs);
  return cost && roundedUsd(cost);
}

function meanOf(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === 0 ? null : mean(numbers);
}

function sum<Value>(values: readonly Value[], of: (value: Value) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

/** A case that was not asked: its passes are those of the baseline, and enough of them have to be there as of any other. */
export function carriedCase(planned: PlannedCase, { key, test, state, before }: PlannedVerdict): CaseReport {
  if (before === null) throw new Error('A carried case has no verdict before it.');
  const { pointer, pass_rate } = planned;
  const { passes, repeats, date, simulated } = before;
  const outcome = passes >= Math.ceil(pass_rate * repeats - 1e-9) ? 'passed' : 'failed';
  const reason = () =>
    `Carried over: ${passes} of ${repeats} ${repeats === 1 ? 'run' : 'runs'} passed on ${date}, and nothing has changed since.`;
  return {
    ...factsOf(planned, { outcome, simulated, passes, judged: repeats, repeats }),
    replayed: false,
    mean_cost_usd: before.cost_usd,
    mean_uncached_cost_usd: before.cost_usd,
    mean_latency_ms: null,
    input_tokens: 0,
    output_tokens: 0,
    key,
    test,
    before,
    state,
    reasons: outcome === 'failed' ? [{ pointer, outcome, reason: reason(), repeats: repeats - passes }] : [],
    runs: [],
  };
}
