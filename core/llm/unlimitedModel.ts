import { LlmError } from '../errors.js';

/** The failure of a call that a budget limits, to a model that takes no output limit. */
export function unlimitedModel(model: string): LlmError {
  const advice = 'Take budget.max_cost away, or use another model.';
  return new LlmError('bad-request', `${model} takes no output limit, so a call could cost more than its budget has left. ${advice}`);
}
