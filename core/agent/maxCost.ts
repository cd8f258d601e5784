import type { RunRequest } from './types.js';

/** USD that a run may cost, by its agent's own budget and by its caller's. */
export function maxCostOf({ agent, context }: Pick<RunRequest, 'agent' | 'context'>): number | undefined {
  const limits = [agent.resolved.config.budget?.max_cost, context?.budget?.max_cost].filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}
