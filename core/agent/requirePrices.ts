import { usdText } from '../amounts.js';
import { ConfigInvalidError } from '../errors.js';
import { firstNames } from '../names.js';
import { priceToPay } from '../prompt/worstCaseOf.js';
import type { RunContext } from '../runContext.js';
import { callsModel } from '../snapshot/effective.js';
import type { Agent, RunRequest } from './types.js';

/**
 * Refuses a budget that cannot be enforced, before any model is called: without a known price, the cost of a call is unknown. The caller
 * may allow it (`budget.allow_unpriced`); then the result names these models.
 *
 * @param agents every agent that the run may use
 * @throws ConfigInvalidError naming the models and the remedy
 */
export function requirePrices(agents: Iterable<Agent>, context: Partial<RunContext> | undefined): void {
  if (context?.budget?.allow_unpriced) return;
  const unpriced = new Set<string>();
  let max: number | undefined;
  for (const agent of agents) {
    const limit = maxCostOf({ agent, ...(context && { context }) });
    if (limit === undefined) continue;
    // The spending of a plan's agents counts against the budget of the plan's agent.
    for (const calledAgent of [agent, ...(agent.agents?.values() ?? [])]) {
      if (isPriced(calledAgent)) continue;
      unpriced.add(calledAgent.prompt.model_name);
      max = Math.min(max ?? limit, limit);
    }
  }
  if (max === undefined) return;
  const models = firstNames(unpriced);
  throw new ConfigInvalidError(
    `The budget of ${usdText(max)} (budget.max_cost) cannot be enforced, since the price of ${models} is unknown. Give "price" in the llm profile or under "models" in agentstack.json, or allow it with --allow-unpriced (in the library budget.allow_unpriced).`,
    [],
  );
}

/** Whether the cost of the agent's own model calls is known, if it makes any. */
export function isPriced(agent: Agent): boolean {
  return !callsModel(agent.resolved.config) || priceToPay(agent.resolved.llm, agent.price) !== undefined;
}

/** USD that a run may cost, by its agent's own budget and by its caller's. */
export function maxCostOf({ agent, context }: Pick<RunRequest, 'agent' | 'context'>): number | undefined {
  const limits = [agent.resolved.config.budget?.max_cost, context?.budget?.max_cost].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}
