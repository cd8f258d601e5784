import { usdText } from '../amounts.js';
import { BudgetExceededError } from '../errors.js';
import { worstCostOfCall } from '../llm/callCost.js';
import { findProviderFacts, optionLimits } from '../llm/providers/providerFacts.js';
import { countText } from '../llm/tokenText.js';
import { schemaBound } from '../prompt/tokenBounds.js';
import { priceToPay } from '../prompt/worstCaseOf.js';
import type { Conversation } from './conversation.js';
import { maxCostOf } from './requirePrices.js';
import type { CallBudget } from './sharedBudget.js';
import type { Turn } from './turn.js';
import type { Agent } from './types.js';

/** The fewest output tokens worth paying for, unless the schema or `max_output_tokens` asks for fewer. */
const shortestAnswer = 256;
/** The output limit of a model without a known one. */
const usualLimit = 4096;

/**
 * Before each model call: what was spent so far, the request, and a short answer must not exceed `budget.max_cost`, of the agent and of the
 * caller. The longest possible answer follows from what is left.
 *
 * @returns undefined without a budget, and if the caller allows a model whose price is unknown
 * @throws BudgetExceededError
 */
export function checkBudget({ request, record }: Turn, conversation: Pick<Conversation, 'most' | 'likely'>): CallBudget | undefined {
  const max = maxCostOf(request);
  const { agent } = request;
  const price = priceToPay(agent.resolved.llm, agent.price);
  if (max === undefined || price === undefined || price.input + price.output === 0) return undefined;

  const spent = record.usage.cost ?? 0;
  const input = conversation.most;
  const limit = outputLimitOf(agent);
  const longest = Math.min(limit ?? usualLimit, roomFor(agent, conversation.likely));
  const shortest = Math.min(shortestAnswer, longest, neededBy(agent)) + thinkingOf(agent);
  const costWith = (output: number) => worstCostOfCall(input, output, price);
  const least = costWith(shortest);
  const unspent = max - spent;
  if (unspent > 0 && least <= unspent) {
    return {
      least,
      most: Math.min(unspent, costWith(longest)),
      limitFor(amount) {
        const paid = amount >= costWith(longest) ? longest : Math.floor(((amount - costWith(0)) * 1_000_000) / price.output);
        const allowed = Math.max(shortest, Math.min(longest, paid));
        return limit !== undefined && allowed >= limit ? undefined : allowed;
      },
    };
  }
  const parts = [
    `${usdText(spent)} spent`,
    `at least ${usdText(least)} for the next call (${countText(input)} tokens sent, ${countText(shortest)} received)`,
  ];
  throw new BudgetExceededError(
    `The budget of ${usdText(max)} does not allow another model call: ${parts.join(', ')}. Raise budget.max_cost, or send less.`,
  );
}

/** USD that may still be spent, zero or less if it is all spent; the whole budget if spending is unknown; undefined without a budget. */
export function costLeft({ request, record }: Turn): number | undefined {
  const max = maxCostOf(request);
  return max === undefined ? undefined : max - (record.usage.cost ?? 0);
}

/** Tokens an answer may have: the limit of the config or the profile's options, else the model's. */
function outputLimitOf({ prompt, model, resolved: { llm } }: Agent): number | undefined {
  return prompt.max_output_tokens ?? optionLimits(llm.options).output ?? model?.max_output_tokens;
}

/** Tokens that the window of the model leaves for an answer; at least one, since the request is only estimated. */
function roomFor({ model }: Agent, request: number): number {
  if (model?.context_window === undefined || findProviderFacts(model.provider)?.windowIsInputOnly) return Number.POSITIVE_INFINITY;
  return Math.max(shortestAnswer, model.context_window - request);
}

/** Tokens that are enough for any answer, including white space; infinite if nothing limits it. A model that calls tools writes more. */
function neededBy({ resolved: { config } }: Agent): number {
  const bound = config.agent_type === 'single_shot' && config.output_schema ? schemaBound(config.output_schema, []) : undefined;
  return bound === undefined ? Number.POSITIVE_INFINITY : 2 * bound + 16;
}

/** Tokens that the profile allows for thinking, which count as output. */
function thinkingOf({ resolved: { llm } }: Agent): number {
  return optionLimits(llm.options).thinking ?? 0;
}
