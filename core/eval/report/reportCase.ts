import type { RunResult } from '../../agent/events.js';
import { uncachedCostOf } from '../../agent/runUsage.js';
import { roundedUsd } from '../../amounts.js';
import type { CaseReport, ReasonReport } from '../../generated/types.js';
import type { Patterns } from '../../routing/patterns.js';
import type { PlannedVerdict } from '../baseline/planVerdicts.js';
import { gradeCase, gradeRepeat } from '../gradeRun.js';
import type { EvalTurn } from '../readCases.js';
import { costOf, type KeptRun, sumOfTurns } from '../runner/evalStore.js';
import type { PlannedCase } from '../runner/plan.js';
import { mean, wilsonInterval } from '../statistics/rates.js';
import type { GradedExpectation, GradedRepeat } from '../types.js';

export interface VerdictFacts {
  /** The verdict for the profile; undefined in evals of earlier versions. */
  readonly verdict: PlannedVerdict | undefined;
  /** Whether it is compared with a baseline. */
  readonly isCompared: boolean;
}

/** Grades one case with one profile. @param runs by repeat; undefined if it was not run */
export function reportCase(
  planned: PlannedCase,
  runs: readonly (KeptRun | undefined)[],
  patterns: Patterns,
  { verdict, isCompared }: VerdictFacts = { verdict: undefined, isCompared: false },
): CaseReport {
  const { turns, repeats, pass_rate } = planned;
  const graded = runs.map((run) => gradeRepeat(turns, run?.turns ?? [], patterns));
  const { outcome, passes, judged } = gradeCase(graded, pass_rate);
  const made = runs.filter((run) => run !== undefined);
  const results = made.flatMap((run) => run.turns.map(({ result }) => result));
  const simulated = made.some(isSimulated);
  const means = (of: (result: RunResult) => number | null) => made.map((run) => sumOfTurns(run, of));
  const firstFailed = graded.findIndex((repeat) => repeat.outcome === 'failed');
  const badTurn = graded[firstFailed]?.turns.findIndex((turn) => turn.outcome === 'failed') ?? 0;
  const answered = runs[firstFailed]?.turns[badTurn]?.result;
  const answer = answered?.output ?? answered?.text;
  return {
    ...factsOf(planned, { outcome, simulated, passes, judged, repeats }, turns[turns.length === 1 || firstFailed >= 0 ? badTurn : -1]),
    replayed: made.some(isReplayed),
    mean_cost_usd: meanUsdOf(means(costOf)),
    mean_uncached_cost_usd: meanUsdOf(means((result) => (costOf(result) === null ? null : uncachedCostOf(result.metadata)))),
    mean_latency_ms: meanOf(means(({ metadata }) => (metadata.iterations > 0 ? metadata.execution_time_ms : null))),
    input_tokens: sum(results, ({ metadata }) => metadata.token_usage.prompt_tokens),
    output_tokens: sum(results, ({ metadata }) => metadata.token_usage.completion_tokens),
    key: verdict?.key ?? null,
    test: verdict?.test ?? null,
    ...(isCompared && verdict !== undefined && { state: verdict.state, ...(verdict.before !== null && { before: verdict.before }) }),
    reasons: reasonsOf(planned, runs, graded),
    ...(answer !== undefined && answer !== '' && { answer }),
    runs: runs.flatMap((run, index) =>
      run === undefined
        ? []
        : [
            {
              repeat: index + 1,
              run_id: run.turns[0]?.result.run_id ?? '',
              outcome: graded[index]?.outcome ?? 'unknown',
              cost_usd: sumOfTurns(run, costOf),
              latency_ms: sumOfTurns(run, ({ metadata }) => metadata.execution_time_ms) ?? 0,
              process: run.process,
            },
          ],
    ),
  };
}

type Judged = Pick<CaseReport, 'outcome' | 'simulated' | 'passes' | 'judged' | 'repeats'>;

/** Whether the offline provider answered for the agent or a judge. */
export function isSimulated({ turns }: KeptRun): boolean {
  return turns.some(({ result, judges }) => [result, ...judges.values()].some(({ metadata }) => metadata.simulated));
}

/**
 * The identity of a case and how often it passed, whether it was run or its verdict is carried over.
 *
 * @param turn the one whose example answer is shown
 */
export function factsOf({ name, file, pointer, tags, pass_rate }: PlannedCase, judged: Judged, turn: EvalTurn | undefined) {
  const expected = turn?.expected;
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

function reasonsOf(
  { pointer, turns }: PlannedCase,
  runs: readonly (KeptRun | undefined)[],
  graded: readonly GradedRepeat[],
): readonly ReasonReport[] {
  const reasons = new Map<string, { readonly reason: ReasonReport; repeats: number }>();
  const add = (
    { place, turn }: { readonly place: string; readonly turn: number },
    outcome: ReasonReport['outcome'],
    words: string,
    { actual, wanted }: Partial<GradedExpectation> = {},
  ) => {
    // A long value is truncated in its reason.
    const key = JSON.stringify([place, turn, outcome, words, actual ?? null]);
    const values = { ...(actual !== undefined && { actual }), ...(wanted !== undefined && { wanted }) };
    const placedReason =
      turns.length === 1 || turn === 0 ? { pointer: place, reason: words } : { pointer: place, turn, reason: `turn ${turn}: ${words}` };
    const counted = reasons.get(key) ?? { reason: { ...placedReason, outcome, repeats: 0, ...values }, repeats: 0 };
    counted.repeats += 1;
    reasons.set(key, counted);
  };
  for (const [repeat, { turns: judged }] of graded.entries()) {
    for (const [at, { outcome, cause, expectations }] of judged.entries()) {
      const { pointer: place = pointer, expect = [] } = turns[at] ?? {};
      const turn = at + 1;
      // Placed at the case or turn, since it applies to all its expectations.
      if (cause !== undefined) add({ place, turn }, outcome === 'failed' ? 'failed' : 'unknown', cause);
      // A run that could not be made has the same reason for every expectation.
      const shownReasons = new Set([cause]);
      for (const [index, expectation] of expectations.entries()) {
        const { outcome: judgement, reason } = expectation;
        if (judgement === 'passed') continue;
        const isSame = outcome === 'unknown' && shownReasons.has(reason);
        shownReasons.add(reason);
        if (!isSame) add({ place: expect[index]?.pointer ?? place, turn }, judgement, reason, expectation);
      }
    }
    const next = turns[judged.length];
    if (judged.length === 0) add({ place: pointer, turn: 0 }, 'unknown', 'It was not run.');
    else if (next !== undefined) {
      const [turn, last] = [judged.length + 1, turns.length];
      const which = turn === last ? 'It was' : `It and all turns up to ${last} were`;
      const why =
        runs[repeat]?.turns.at(-1)?.result.error === null ? 'the eval was interrupted' : `the run of turn ${judged.length} failed`;
      add({ place: next.pointer, turn }, 'unknown', `${which} not run, since ${why}.`);
    }
  }
  const causes = new Set([pointer, ...turns.map((turn) => turn.pointer)]);
  const order = ({ outcome, pointer: place }: ReasonReport) => (outcome === 'failed' ? 0 : 2) + (causes.has(place) ? 0 : 1);
  return [...reasons.values()]
    .map(({ reason, repeats }) => ({ ...reason, repeats }))
    .sort((a, b) => order(a) - order(b) || b.repeats - a.repeats);
}

/** Whether a recording answered for the agent or a judge. */
export function isReplayed({ turns }: KeptRun): boolean {
  return turns.some(({ result, judges }) => [result, ...judges.values()].some(({ metadata }) => metadata.recorded_cost_usd !== undefined));
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

/** A case that was not run: its passes are those of the baseline, and its `pass_rate` applies as usual. */
export function carriedCase(planned: PlannedCase, { key, test, state, before }: PlannedVerdict): CaseReport {
  if (before === null) throw new Error('A carried case has no verdict before it.');
  const { pointer, pass_rate } = planned;
  const { passes, repeats, date, simulated } = before;
  const outcome = passes >= Math.ceil(pass_rate * repeats - 1e-9) ? 'passed' : 'failed';
  const reason = () =>
    `Carried over: ${passes} of ${repeats} ${repeats === 1 ? 'run' : 'runs'} passed on ${date}, and nothing has changed since.`;
  return {
    ...factsOf(
      planned,
      { outcome, simulated, passes, judged: repeats, repeats },
      planned.turns.length === 1 ? planned.turns[0] : undefined,
    ),
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
