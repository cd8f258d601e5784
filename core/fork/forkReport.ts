import type { AgentEvent, RunResult } from '../agent/events.js';
import { spentOf } from '../agent/runUsage.js';
import { roundedUsd } from '../amounts.js';
import type { ForkCell, ForkPlan, ForkReport, ForkRow, ForkRun, ForkSpread } from '../generated/types.js';
import { groupBy } from '../groupBy.js';
import type { Json, JsonObject } from '../json.js';
import { type ComparedRow, compareRuns } from '../run/compareRuns.js';
import { summarizeRun } from '../run/runSummary.js';
import { storyOf } from '../run/story/createStory.js';
import type { Story, StoryStep } from '../run/story/types.js';

/** The events of one run. */
export interface ToldRun {
  readonly events: readonly AgentEvent[];
  readonly result: RunResult;
}

export interface ForkFindings extends Pick<ForkReport, 'run_id' | 'record' | 'kind' | 'name' | 'version' | 'plan' | 'case'> {
  readonly input: JsonObject | undefined;
  /** Undefined where nothing was forked. */
  readonly original: ToldRun | undefined;
  readonly forks: readonly ToldRun[];
}

/** A run and its forks, side by side. */
export function forkReport({ input: _input, ...findings }: ForkFindings): ForkReport {
  const { plan, original, forks, run_id } = findings;
  const results = forks.map(({ result }) => runOf(result));
  return {
    format: 1,
    ...findings,
    original: original
      ? { ...runOf(original.result), run_id, ...wholeCost(original.result), ...(run_id === null && { duration_ms: null }) }
      : null,
    forks: results,
    rows: original ? rowsOf([original, ...forks], plan) : [],
    spread: spreadOf(comparedRuns({ ...findings, input: undefined, original: undefined })),
    paid_usd: sumOf(results.map(({ cost_usd }) => cost_usd)),
    saved_usd: sumOf(results.map(({ recorded_cost_usd }) => recorded_cost_usd)),
  };
}

/** The original first, then the forks, field by field. */
export function comparedRuns({ kind, input, original, forks, run_id, record }: ForkFindings): readonly ComparedRow[] {
  const files = (id: string, result: RunResult, changed: object = {}) => {
    const run = { kind, context: {}, ...(input && { input }) };
    // Plain JSON; its type says more than `JsonObject` can.
    const value = { ...result, metadata: { ...result.metadata, ...changed } } as unknown as JsonObject;
    return { summary: summarizeRun(id, { value: run }, { value }), run, result: value };
  };
  // How long a recorded run took is not known.
  const timeless = run_id === null && { execution_time_ms: null };
  const first = original && [
    files(run_id ?? record ?? '', original.result, { estimated_cost_usd: wholeCost(original.result).cost_usd, ...timeless }),
  ];
  return compareRuns([...(first ?? []), ...forks.map(({ result }) => files(result.run_id, result))]).rows;
}

function runOf({ run_id, status, error, output, text, metadata }: RunResult): ForkRun {
  return {
    run_id,
    status,
    error: error && { code: error.code, message: error.message },
    output,
    text,
    cost_usd: metadata.estimated_cost_usd,
    recorded_cost_usd: metadata.recorded_cost_usd ?? 0,
    total_tokens: metadata.token_usage.total_tokens,
    duration_ms: metadata.execution_time_ms,
  };
}

/** Of a replay, what was recorded is what the run cost. */
function wholeCost({ metadata }: RunResult) {
  return { cost_usd: spentOf(metadata), recorded_cost_usd: null };
}

function sumOf(costs: readonly (number | null)[]): number | null {
  return costs.includes(null) ? null : roundedUsd(costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0));
}

/** How often the forks gave each value of each field. */
function spreadOf(rows: readonly ComparedRow[]): readonly ForkSpread[] {
  return rows
    .filter(({ part }) => part === 'output')
    .map(({ field, values }) => ({
      field,
      values: [...groupBy(values, (value) => JSON.stringify(value)).values()]
        .map((same) => ({ value: same[0] ?? null, count: same.length }))
        .sort((left, right) => right.count - left.count),
    }));
}

/** Steps by place, in the order of the first run that has them. */
function rowsOf(runs: readonly ToldRun[], plan: ForkPlan): readonly ForkRow[] {
  const stories = runs.map(({ events }) => stepsOf(storyOf(events)));
  const live = new Set(plan.places.map(({ place, model_call }) => `${place} ${model_call}`));
  const isPlanned = new Set(plan.places.map(({ place }) => place));
  const rows: ForkRow[] = [];
  for (const place of new Set(stories.flatMap((steps) => [...steps.keys()]))) {
    const columns = stories.map((steps) => steps.get(place) ?? []);
    let hasDiffered = false;
    for (let index = 0; index < Math.max(...columns.map(({ length }) => length)); index += 1) {
      const steps = columns.map((column) => column[index]);
      const cells = steps.map((step) => (step === undefined ? null : cellOf(step)));
      const is_equal = new Set(cells.map((cell) => JSON.stringify(cell))).size === 1;
      // The steps of a plan are not model calls of its own place: they are live from the first other answer on.
      const is_live = isPlanned.has(place) ? live.has(`${place} ${index + 1}`) : !is_equal && !hasDiffered;
      hasDiffered ||= !is_equal;
      rows.push({ place, step: index + 1, name: steps.find((step) => step !== undefined)?.plan_step ?? null, is_equal, is_live, cells });
    }
  }
  return rows;
}

function stepsOf({ steps, teams }: Story): ReadonlyMap<string, readonly StoryStep[]> {
  if (teams.length === 0) return new Map([['', steps]]);
  const byPlace = new Map<string, readonly StoryStep[]>();
  for (const { execution, team, tasks } of teams)
    for (const { task, steps: indices } of tasks)
      byPlace.set(
        `${execution}/${team}/${task}`,
        indices.flatMap((index) => steps[index] ?? []),
      );
  return byPlace;
}

function cellOf({ parts, observation, plan_step }: StoryStep): ForkCell {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part] : []));
  return {
    text: text === '' && plan_step !== null ? observation : text,
    calls: calls.map(({ name, input = null, output = null }): { name: string; input: Json; output: Json } => ({ name, input, output })),
  };
}
