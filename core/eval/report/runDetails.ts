import type { Json, JsonObject } from '../../json.js';
import type { Patterns } from '../../routing/patterns.js';
import { gradeRun } from '../gradeRun.js';
import type { KeptEval } from '../runner/evalStore.js';
import { slotKey, slotsOf } from '../runner/plan.js';

/**
 * One run of a kept eval, with all that was kept of it: what it was asked, what it answered, and how each expectation was judged.
 *
 * @returns undefined where there is no such run
 */
export function runDetails({ plan, runs }: Pick<KeptEval, 'plan' | 'runs'>, run_id: string, patterns: Patterns): JsonObject | undefined {
  for (const slot of slotsOf(plan)) {
    const run = runs.get(slotKey(slot));
    const planned = plan.cases[slot.case];
    if (run === undefined || planned === undefined || run.result.run_id !== run_id) continue;
    const { result, judges } = run;
    const { outcome, cause, expectations } = gradeRun(
      planned.expect.map(({ entry }) => entry),
      { ...run, expected: planned.expected, patterns },
    );
    const { model_name, estimated_cost_usd, execution_time_ms, token_usage, simulated } = result.metadata;
    const details = {
      case: planned.name,
      file: planned.file,
      agent: planned.version === null ? planned.subject : `${planned.subject}@${planned.version}`,
      profile: plan.llms[slot.llm] ?? null,
      repeat: slot.repeat + 1,
      outcome,
      ...(cause !== undefined && { cause }),
      expectations: expectations.map(({ pointer: _, ...judged }, index) => ({ expect: planned.expect[index]?.entry ?? null, ...judged })),
      input: planned.input,
      ...(planned.expected !== undefined && { expected: planned.expected }),
      status: result.status,
      output: result.output,
      ...(result.output === null && { text: result.text }),
      ...(result.error !== null && { error: result.error }),
      tool_calls: result.tool_calls.map(({ name, input }) => ({ name, input })),
      ...(judges.size > 0 && { judges: Object.fromEntries([...judges].map(([reference, { output }]) => [reference, output])) }),
      metadata: { model_name, simulated, estimated_cost_usd, execution_time_ms, ...token_usage },
    };
    // Plain JSON; the types of results say more than `JsonObject` can.
    return JSON.parse(JSON.stringify(details)) as Json as JsonObject;
  }
  return undefined;
}
