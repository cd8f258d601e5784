import { AgentPromptValidationError } from '../../errors.js';
import type { ExecutionPlan } from '../../generated/types.js';
import { isObject, type Json } from '../../json.js';
import type { EventBody } from '../events.js';
import { toIssue } from '../toIssue.js';
import type { PlanRun } from './planRun.js';

/**
 * The output of a plan: its template, or what the last step that completed gave; null where none did. With an output_schema it is checked as an answer
 * of a model is, and text is read for the JSON object in it.
 * @throws InputInvalidError where the template names what is not there, AgentPromptValidationError
 */
export async function* planOutput(run: PlanRun, { output }: Pick<ExecutionPlan, 'output'>): AsyncGenerator<EventBody, Json, undefined> {
  const { request, record } = run.turn;
  const value = output === undefined ? lastOutput(run) : run.render(output);
  const { prompt } = request.agent;
  if (prompt.output_schema === undefined) return value;
  try {
    // As text, since an object of some forms would be taken for the completion of a provider.
    const parsed = prompt.parseAndValidate(isObject(value) ? JSON.stringify(value) : value);
    if (parsed.repairs.length > 0) yield { type: 'repair', issues: record.repaired(parsed.repairs.map(toIssue)) };
    return parsed.output;
  } catch (error) {
    if (!(error instanceof AgentPromptValidationError)) throw error;
    const { message, issues, raw } = error;
    const advice = 'No model is asked to repair the output of a plan: change "output" of the execution_plan, or the step it comes from.';
    throw new AgentPromptValidationError(`The output of the plan does not fit: ${message} ${advice}`, issues, raw);
  }
}

function lastOutput({ outcomes }: PlanRun): Json {
  const outputs = [...outcomes.values()].flatMap(({ output }) => (output === undefined ? [] : [output]));
  return outputs.at(-1) ?? null;
}
