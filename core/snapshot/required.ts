import { stepsNaming } from '../config/agentToolChoice.js';
import { isObject, type JsonObject } from '../json.js';
import type { Stack } from './collectFragments.js';
import type { LayerProblem } from './effective.js';
import type { AssembledAgent } from './effectiveAgent.js';
import type { ResolveRequest } from './types.js';

/** What CONFIG.md requires of the effective config, by agent type; `react` has fallbacks for its system text. `model` is a model_name. */
export const requiredFields: { readonly [agentType: string]: readonly string[] } = {
  single_shot: ['mode', 'system_text', 'purpose_text', 'output_schema', 'model'],
  react: ['model'],
  orchestrating: ['execution_plan'],
};

/** Providers that have a model without being told its name. */
export const selfSufficient: readonly string[] = ['offline', 'vscode'];

/**
 * What is still missing after layering, placed at the root of the agent file. Not reported again: what is given in a form it cannot have
 * (the schema says so), and what a broken reference would have given.
 */
export function checkRequired(
  { config, misfits }: AssembledAgent,
  stack: Stack,
  request: ResolveRequest,
  environmentName: string,
): LayerProblem[] {
  const agentType = String(config.agent_type);
  if (misfits.has('agent_type') || stack.broken.persona) return [];
  const problems: LayerProblem[] = [];
  for (const field of requiredOf(config, agentType)) {
    if (!isMissing(field, config, stack) || misfits.has(field === 'model' ? 'model_name' : field)) continue;
    const lacks = field === 'model' ? 'no model' : `no ${field}`;
    const message = `${subject(request)} has ${lacks}, which ${nameOf(agentType)} needs. Looked in: ${lookedIn(stack, environmentName)}. ${remedy(field, stack, request)}`;
    problems.push({
      code: 'effective-config-incomplete',
      message,
      ...placeOf(request),
      data: { field: field === 'model' ? 'model_name' : field, files: stack.files },
    });
  }
  return problems;
}

/** A plan that sends prompts of its own needs a model to send them to. */
function requiredOf({ execution_plan: plan }: JsonObject, agentType: string): readonly string[] {
  const required = requiredFields[agentType] ?? [];
  const sends = agentType === 'orchestrating' && isObject(plan) && stepsNaming(plan, 'llm').length > 0;
  return sends ? [...required, 'model'] : required;
}

function subject({ agent_name, version, file, task }: ResolveRequest): string {
  if (task === undefined) return `${agent_name}@${version}`;
  return file === undefined
    ? `The task ${JSON.stringify(agent_name)}`
    : `The task ${JSON.stringify(task.value.name ?? '')} (${agent_name}@${version})`;
}

/** What an agent file lacks is told there; a task is at fault that is a persona, or lays something over its agent. */
function placeOf({ file, task }: ResolveRequest): Pick<LayerProblem, 'file' | 'pointer'> {
  const isOfTask = task !== undefined && (file === undefined || task.value.config !== undefined || task.value.agent_type !== undefined);
  return isOfTask ? { file: task.path, pointer: `${task.pointer}/name` } : { file: file?.path ?? null, pointer: '' };
}

function isMissing(field: string, config: JsonObject, stack: Stack): boolean {
  if (field === 'model')
    return config.model_name === undefined && !stack.broken.llm && !(stack.llm && selfSufficient.includes(String(config.provider)));
  // A template takes the place of the system text; whether the prompt it names exists is another question.
  if (field === 'system_text') return config.system_text === undefined && config.template === undefined && !namesPrompt(config);
  return config[field] === undefined;
}

function namesPrompt({ prompts }: JsonObject): boolean {
  const { system_prompt, system_prompt_version } = (prompts ?? {}) as JsonObject;
  return system_prompt !== undefined || system_prompt_version !== undefined;
}

function nameOf(agentType: string): string {
  return `${agentType === 'orchestrating' ? 'an' : 'a'} ${agentType} agent`;
}

/** Every layer with its file, or that it has none. */
function lookedIn({ fragments, llm }: Stack, environmentName: string): string {
  const fileOf = (layer: string) => fragments.find((fragment) => fragment.layer === layer && fragment.file !== null)?.file;
  const layers = [
    'built-in defaults',
    `system (${fileOf('system') ?? 'nothing for this agent'})`,
    `environment ${environmentName} (${fileOf('environment') ?? 'nothing for this agent'})`,
    `llm profile (${llm?.file.path ?? 'none'})`,
    `persona (${fileOf('persona') ?? 'none'})`,
    `agent (${fileOf('agent') ?? 'none'})`,
  ];
  const task = fileOf('task');
  if (task !== undefined) layers.push(`task (${task})`);
  if (fragments.some(({ layer }) => layer === 'call')) layers.push('call overrides');
  return layers.join(', ');
}

function remedy(field: string, { llm }: Stack, { project, file, task }: ResolveRequest): string {
  const own = file === undefined ? "the task's config" : task === undefined ? 'the agent file' : "the agent file, in the task's config";
  const others = `in a persona named by persona_key, or under agent_defaults in ${project.settings.config_dir}/system.json`;
  if (field !== 'model') return `Give ${field} in ${own}, ${others}.`;
  if (llm) return `Give model_name in ${llm.file.path} or in ${own}.`;
  return `Give model_name or llm_config_id in ${own}, ${others}, or add a profile to ${project.settings.config_dir}/llms/.`;
}
