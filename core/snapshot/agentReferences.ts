import { type AgentTarget, findAgent, splitAgentReference } from '../config/agentReference.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type Json } from '../json.js';
import { didYouMean, firstNames, nearestNames } from '../names.js';
import type { Assembled } from './assemble.js';
import type { LayerProblem, Origin } from './effective.js';

/** The agent file that a reference names, with its version filled in. A dangling reference is reported at `origin`. */
export function resolveReference(
  reference: string,
  project: ProjectIndex,
  origin: () => Origin,
  report: (problem: LayerProblem) => void,
): AgentTarget | undefined {
  // An unset variable in it has already been reported, and its value is unknown.
  if (reference.includes('${')) return undefined;
  const target = findAgent(project, reference);
  if (target === undefined) report(unknown(reference, project, origin()));
  return target;
}

/** With the messages of the rules unknown-agent and unknown-agent-version. */
function unknown(reference: string, project: ProjectIndex, { file, pointer }: Origin): LayerProblem {
  const { name, version } = splitAgentReference(reference);
  const versions = project.versions(name);
  if (version !== undefined && versions.length > 0) {
    const nearest = nearestNames(version, versions);
    const message = `The agent ${JSON.stringify(name)} has no version ${JSON.stringify(version)}.${nearest.length > 0 ? didYouMean(nearest) : ` It has ${versions.join(', ')}.`}`;
    return { code: 'unknown-agent-version', message, file, pointer, data: { id: reference, name, version, versions } };
  }
  const names = [...new Set([...project.ids('agent').keys()].map((id) => splitAgentReference(id).name))];
  const nearest = nearestNames(name, names);
  const listed = names.length === 0 ? ' The project has none.' : ` Agents here: ${firstNames(names)}.`;
  const message = `There is no agent ${JSON.stringify(name)}.${nearest.length > 0 ? didYouMean(nearest) : listed}`;
  return { code: 'unknown-agent', message, file, pointer, data: { id: reference, nearest } };
}

/** The same config with every agent that its plan calls pinned to `name@version`, so that a newer version does not change later runs. */
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
