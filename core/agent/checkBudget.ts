import { BudgetExceededError } from '../errors.js';
import { worstCostOfCall } from '../llm/callCost.js';
import type { Conversation } from './conversation.js';
import type { Turn } from './turn.js';

/**
 * Before each model call: what was spent so far and what this very call may cost at most must not exceed `budget.max_cost`, of the agent
 * and of the caller. Without a known price nothing can be checked, and the log says so.
 *
 * @returns what the call may cost at most, in USD; undefined without a budget, or where that is unknown
 * @throws BudgetExceededError
 */
export function checkBudget({ request, record }: Turn, conversation: Pick<Conversation, 'most'>): number | undefined {
  const max = budgetOf(request);
  if (max === undefined) return undefined;
  const { agent } = request;
  const spent = record.cost;
  if (spent === null || !agent.price) {
    record.log('warn', 'the budget cannot be checked, since the price of the model is not known', { model: agent.prompt.model_name });
    return undefined;
  }
  const output = mostOutput(agent);
  const input = conversation.most;
  const worst = worstCostOfCall(input, output, agent.price);
  if (spent < max && spent + worst <= max) return worst;
  const parts = [
    `${usd(spent)} spent`,
    `up to ${usd(worst)} for the next call (${input} tokens sent, ${output ?? 'unknown'} received at most)`,
  ];
  throw new BudgetExceededError(
    `The budget of ${usd(max)} does not allow another model call: ${parts.join(', ')}. Raise budget.max_cost, or lower max_output_tokens.`,
  );
}

/** USD that may still be spent, at most 0 where it is all spent; the whole budget where it is unknown what was spent; undefined without a budget. */
export function costLeft({ request, record }: Turn): number | undefined {
  const max = budgetOf(request);
  return max === undefined ? undefined : max - (record.cost ?? 0);
}

function budgetOf({ agent, context }: Turn['request']): number | undefined {
  const limits = [agent.resolved.config.budget?.max_cost, context?.budget?.max_cost].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** Tokens an answer may have: what the config allows, else what the model can. */
export function mostOutput({ prompt, model }: Turn['request']['agent']): number | undefined {
  return prompt.max_output_tokens ?? model?.max_output_tokens;
}

function usd(amount: number): string {
  return `${Number(amount.toPrecision(3))} USD`;
}
