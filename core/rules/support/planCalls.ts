import { type AgentTarget, findAgent } from '../../config/agentReference.js';
import type { ConfigFile } from '../../config/configFile.js';
import { mayFollowPlan } from '../../config/mayFollowPlan.js';
import { isObject, type Json } from '../../json.js';
import type { RuleContext } from '../rule.js';
import { findGiven, type Given, layersOf } from './layers.js';

/** A step of a plan that calls another agent in every run that gets there. */
export interface PlanCall extends AgentTarget {
  /** The place that names the agent. */
  readonly given: Given;
}

/** The calls of an agent's plan that no `when` stands before; none where a `${VAR}` decides. */
export function planCallsOf(file: ConfigFile, context: RuleContext): readonly PlanCall[] {
  if (!mayFollowPlan(file.value, context.project)) return [];
  const stack = layersOf(file, context);
  const plan = stack && findGiven(stack, 'execution_plan');
  if (stack === undefined || plan === undefined || findGiven(stack, 'agent_type')?.value !== 'orchestrating') return [];
  if (!isObject(plan.value) || !Array.isArray(plan.value.steps)) return [];
  return (plan.value.steps as readonly Json[]).flatMap((step, index) => {
    if (!isObject(step) || typeof step.agent !== 'string' || step.when !== undefined) return [];
    const target = findAgent(context.project, step.agent);
    return target === undefined
      ? []
      : [{ ...target, given: { ...plan, value: step.agent, pointer: `${plan.pointer}/steps/${index}/agent` } }];
  });
}
