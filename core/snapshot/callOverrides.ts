import { isObject, pointerOf } from '../json.js';
import { maxDepth } from '../jsonText/jsonShape.js';
import { didYouMean, nearestNames } from '../names.js';
import { checkFragment } from './checkFragment.js';
import type { LayerProblem } from './effective.js';
import { agentTable } from './fields.js';
import type { Fragment } from './layering.js';
import type { CallOverrides } from './types.js';

/** The fields a call sets, as the highest fragment; undefined when it sets none that could be used. */
export function callFragment(overrides: CallOverrides | undefined, report: (problem: LayerProblem) => void): Fragment | undefined {
  const config: unknown = overrides?.config;
  if (config === undefined) return undefined;
  const refuse = (message: string, pointer: string) => report({ code: 'schema', message, file: null, pointer });
  if (!isObject(config)) {
    refuse('The overrides of a call must be an object of agent fields.', '/config');
    return undefined;
  }
  if (isTooDeep(config, 0)) {
    refuse(`The overrides of a call are nested deeper than ${maxDepth} levels.`, '/config');
    return undefined;
  }
  for (const name of Object.keys(config)) {
    if (agentTable.agent.has(name)) continue;
    const nearest = nearestNames(name, agentTable.agent.keys());
    const why =
      name === 'agent_name' || name === 'version'
        ? 'is the identity of the agent and cannot be overridden.'
        : 'is not a field of an agent.';
    refuse(`Override ${JSON.stringify(name)} ${why}${didYouMean(nearest)}`, pointerOf('config', name));
  }
  for (const problem of checkFragment('persona', config, 'The overrides of the call', null, '/config')) report(problem);
  const { llm_config_id } = config;
  if (overrides?.llm !== undefined && typeof llm_config_id === 'string' && llm_config_id !== overrides.llm) {
    refuse(`The call names two llm profiles, "${overrides.llm}" and "${llm_config_id}". Name one.`, '/config/llm_config_id');
  }
  return { layer: 'call', file: null, pointer: '/config', kind: 'agent', value: config };
}

/** Overrides come from a program and may even contain themselves, which no file can. */
function isTooDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= maxDepth || Object.values(value).some((member) => isTooDeep(member, depth + 1));
}
