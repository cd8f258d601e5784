import { LlmError } from '../errors.js';

/** The failure of a call limited by a budget, to a model that accepts no output limit. */
export function unlimitedModel(model: string): LlmError {
  const advice = 'Remove budget.max_cost, or use another model.';
  return new LlmError('bad-request', `${model} accepts no output limit, so a call could cost more than the rest of its budget. ${advice}`);
}
