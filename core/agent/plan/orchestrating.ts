import { AgentPromptValidationError } from '../../errors.js';
import type { ExecutionPlan } from '../../generated/types.js';
import { isObject, type Json } from '../../json.js';
import { toTemplateText } from '../../prompt/template.js';
import { usesPatterns } from '../../routing/evaluateCondition.js';
import { loadPatterns } from '../../routing/patterns.js';
import { toIssue } from '../correction.js';
import type { EventBody } from '../events.js';
import { closeToolSet, noTools, openToolSet } from '../react/toolSet.js';
import { stopAtRepairs } from '../stopAtFinding.js';
import type { Turn } from '../turn.js';
import { PlanRun } from './planRun.js';
import { runStep } from './runStep.js';

/** `orchestrating`: the steps of the plan in sequence, then its output. No model decides what comes next. See docs/plans.md. */
export async function* orchestrating(turn: Turn): AsyncGenerator<EventBody, Json, undefined> {
  // It passed the schema of agents before it was frozen.
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

/**
 * The output of a plan: its template, or the output of the last completed step; null without one. With an output_schema it is checked like the
 * answer of a model, and a text is searched for a JSON object.
 * @throws InputInvalidError if the template names something that does not exist, AgentPromptValidationError
 */
async function* planOutput(run: PlanRun, { output }: Pick<ExecutionPlan, 'output'>): AsyncGenerator<EventBody, Json, undefined> {
  const { request, record } = run.turn;
  const value = output === undefined ? lastOutput(run) : run.render(output);
  const { prompt } = request.agent;
  if (prompt.output_schema === undefined) return value;
  try {
    // As text, since some objects would be mistaken for the completion of a provider.
    const parsed = prompt.parseAndValidate(isObject(value) ? JSON.stringify(value) : value);
    if (parsed.repairs.length > 0) {
      const issues = record.repaired(parsed.repairs.map(toIssue));
      if (request.gate) await stopAtRepairs(run.turn, request.gate, record.trace.step, issues, toTemplateText(value));
      yield { type: 'repair', issues };
    }
    return parsed.output;
  } catch (error) {
    if (!(error instanceof AgentPromptValidationError)) throw error;
    const { message, issues, raw } = error;
    const advice = 'No model repairs the output of a plan: change "output" of the execution_plan, or the step it comes from.';
    throw new AgentPromptValidationError(`The output of the plan does not fit: ${message} ${advice}`, issues, raw);
  }
}

function lastOutput({ outcomes }: PlanRun): Json {
  const outputs = [...outcomes.values()].flatMap(({ output }) => (output === undefined ? [] : [output]));
  return outputs.at(-1) ?? null;
}
