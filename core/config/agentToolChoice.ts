import { isObject, type Json, type JsonObject } from '../json.js';
import { chooseTools, namesOf, type OfferedTool, type ToolChoice, type ToolFilter } from './toolChoice.js';

/** The parts of a config that determine the tools of an agent. */
export interface ToolConfig extends ToolFilter {
  readonly agent_type: string;
  readonly client_ids?: readonly string[];
  readonly execution_plan?: JsonObject;
}

/**
 * The tools of an agent among those offered to it: for one that reasons in a loop, those its lists choose (`chooseTools`); for one that follows a
 * plan, those its steps name and its lists allow; `unknown.enabled_tools` are then the unknown names in the plan. Other agents have no tools.
 */
export function chooseAgentTools<T extends OfferedTool>(offered: readonly T[], config: ToolConfig): ToolChoice<T> {
  const { agent_type, enabled_tools, exclude_components } = config;
  if (agent_type !== 'orchestrating') return chooseTools(offered, { enabled_tools, exclude_components });
  const skills = skillsInPlan(config.execution_plan);
  const named = chooseTools(offered, { enabled_tools: skills, exclude_components });
  const allowed = enabled_tools && new Set(chooseTools(offered, { enabled_tools, exclude_components }).chosen.map(({ tool }) => tool));
  const chosen = named.chosen.filter(({ tool }) => allowed?.has(tool) ?? true);
  const names = new Set(chosen.flatMap(namesOf));
  return { chosen, unknown: { ...named.unknown, enabled_tools: skills.filter((name) => !names.has(name)) } };
}

/** Whether an agent uses tools at all; if not, no server is examined for it. */
export function wantsTools(config: ToolConfig): boolean {
  if (config.agent_type === 'orchestrating') return skillsInPlan(config.execution_plan).length > 0;
  return config.agent_type === 'react' && ((config.client_ids ?? []).length > 0 || config.enabled_tools !== undefined);
}

/** The skills a plan calls, each once. */
export function skillsInPlan(plan: JsonObject | undefined): readonly string[] {
  return [...new Set(stepsNaming(plan, 'skill').map(({ name }) => name))];
}

/** The agents a plan calls, each once, as the plan names them. */
export function agentsInPlan(plan: JsonObject | undefined): readonly string[] {
  return [...new Set(stepsNaming(plan, 'agent').map(({ name }) => name))];
}

/** The steps of a plan that name something of this kind, and their places in it. */
export function stepsNaming(
  plan: JsonObject | undefined,
  what: 'agent' | 'skill' | 'llm',
): readonly { readonly name: string; readonly index: number }[] {
  if (!Array.isArray(plan?.steps)) return [];
  return plan.steps.flatMap((step: Json, index) => {
    const name = isObject(step) && Object.hasOwn(step, what) ? step[what] : undefined;
    return typeof name === 'string' ? [{ name, index }] : [];
  });
}
