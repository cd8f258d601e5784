import type { Json, JsonObject } from '../../json.js';
import type { Patterns } from '../../routing/patterns.js';
import { gradeRepeat } from '../gradeRun.js';
import type { EvalTurn } from '../readCases.js';
import type { KeptEval, KeptTurn } from '../runner/evalStore.js';
import { slotKey, slotsOf } from '../runner/plan.js';
import type { GradedTurn } from '../types.js';

/**
 * Everything that was stored of one repeat of an eval: its input, its answer and the verdict on each expectation; in a conversation turn by turn.
 *
 * @param run_id of its first turn
 * @returns undefined if there is no such run
 */
export function runDetails({ plan, runs }: Pick<KeptEval, 'plan' | 'runs'>, run_id: string, patterns: Patterns): JsonObject | undefined {
  for (const slot of slotsOf(plan)) {
    const run = runs.get(slotKey(slot));
    const planned = plan.cases[slot.case];
    if (run === undefined || planned === undefined || run.turns[0]?.result.run_id !== run_id) continue;
    const { outcome, turns: graded } = gradeRepeat(planned.turns, run.turns, patterns);
    const turns = planned.turns.map((turn, at) => turnDetails(turn, run.turns[at], graded[at]));
    const details = {
      case: planned.name,
      file: planned.file,
      agent: planned.version === null ? planned.subject : `${planned.subject}@${planned.version}`,
      profile: plan.llms[slot.llm] ?? null,
      repeat: slot.repeat + 1,
      outcome,
      ...(turns.length === 1 ? turns[0] : { turns }),
    };
    // Plain JSON, although the types of results are not assignable to `JsonObject`.
    return JSON.parse(JSON.stringify(details)) as Json as JsonObject;
  }
  return undefined;
}

function turnDetails({ input, expect, expected }: EvalTurn, kept: KeptTurn | undefined, graded: GradedTurn | undefined): object {
  if (kept === undefined || graded === undefined) return { outcome: 'unknown', cause: 'It was not run.', input };
  const { result, judges } = kept;
  const { outcome, cause, expectations } = graded;
  const { model_name, estimated_cost_usd, execution_time_ms, token_usage, simulated } = result.metadata;
  return {
    outcome,
    ...(cause !== undefined && { cause }),
    expectations: expectations.map(({ pointer: _, ...judged }, index) => ({ expect: expect[index]?.entry ?? null, ...judged })),
    input,
    ...(expected !== undefined && { expected }),
    status: result.status,
    output: result.output,
    ...(result.output === null && { text: result.text }),
    ...(result.error !== null && { error: result.error }),
    tool_calls: result.tool_calls.map(({ name, input }) => ({ name, input })),
    ...(judges.size > 0 && { judges: Object.fromEntries([...judges].map(([reference, { output }]) => [reference, output])) }),
    metadata: { model_name, simulated, estimated_cost_usd, execution_time_ms, ...token_usage },
  };
}
