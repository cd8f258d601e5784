import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type Json } from '../json.js';
import { resolveReference } from './agentReferences.js';
import type { Assembled } from './assemble.js';
import type { LayerProblem } from './effective.js';

/** The same config with every agent that its plan calls named by `name@version`: what is newest today must not decide on the run of tomorrow. */
export function pinPlan(assembled: Assembled, project: ProjectIndex, report: (problem: LayerProblem) => void): Assembled {
  const { execution_plan: plan } = assembled.config;
  if (!isObject(plan) || !Array.isArray(plan.steps)) return assembled;
  const steps = plan.steps.map((step: Json, index) => {
    if (!isObject(step) || typeof step.agent !== 'string') return step;
    const originAt = () => assembled.originAt(['execution_plan', 'steps', index, 'agent']);
    const target = resolveReference(step.agent, project, originAt, report);
    return target === undefined ? step : Object.freeze({ ...step, agent: target.id });
  });
  const execution_plan = Object.freeze({ ...plan, steps: Object.freeze(steps) });
  return { ...assembled, config: Object.freeze({ ...assembled.config, execution_plan }) };
}
