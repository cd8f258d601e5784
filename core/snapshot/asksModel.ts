import { isObject, type Json } from '../json.js';
import type { EffectiveAgent } from './effective.js';

/** Whether an agent asks a model of its own: one that follows a plan does so only for its prompts. */
export function asksModel({ agent_type, execution_plan }: Pick<EffectiveAgent, 'agent_type' | 'execution_plan'>): boolean {
  if (agent_type !== 'orchestrating') return true;
  const steps = execution_plan?.steps;
  return Array.isArray(steps) && steps.some((step: Json) => isObject(step) && Object.hasOwn(step, 'llm'));
}
