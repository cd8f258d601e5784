import type { ExecutionPlan } from '../../generated/types.js';
import type { Json } from '../../json.js';
import { usesPatterns } from '../../routing/evaluateCondition.js';
import { loadPatterns } from '../../routing/patterns.js';
import type { EventBody } from '../events.js';
import { closeToolSet, noTools, openToolSet } from '../react/toolSet.js';
import type { Turn } from '../turn.js';
import { planOutput } from './planOutput.js';
import { PlanRun } from './planRun.js';
import { runStep } from './runStep.js';

/**
 * `orchestrating`: the steps of the plan, one after the other, then its output. No model decides what comes next. docs/plans.md tells the
 * whole.
 */
export async function* orchestrating(turn: Turn): AsyncGenerator<EventBody, Json, undefined> {
  // What passed the schema of agents, before it was frozen.
  const plan = turn.request.agent.resolved.config.execution_plan as unknown as ExecutionPlan;
  const conditions = plan.steps.flatMap(({ when, repeat }) => [when ?? [], repeat?.until ?? []]);
  const patterns = conditions.some(usesPatterns) ? await loadPatterns() : undefined;
  const toolSet = plan.steps.some(({ skill }) => skill !== undefined) ? await openToolSet(turn) : noTools;
  try {
    const run = new PlanRun(turn, toolSet.tools, patterns);
    for (const step of plan.steps) yield* runStep(run, step);
    return yield* planOutput(run, plan);
  } finally {
    await closeToolSet(turn, toolSet);
  }
}
