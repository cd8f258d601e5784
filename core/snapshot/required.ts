import { builtInProviders } from '../builtInProviders.js';
import { stepsNaming } from '../config/agentToolChoice.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { firstNames } from '../names.js';
import { findForeignName, foreignFieldsOf } from '../otherTools/fieldNames.js';
import type { Stack } from './collectFragments.js';
import type { LayerProblem } from './effective.js';
import type { AssembledAgent } from './effectiveAgent.js';
import { agentTable } from './fields.js';
import type { Fragment } from './layering.js';
import type { ResolveRequest } from './types.js';

/**
 * What CONFIG.md requires of the effective config, by agent type; `react` has fallbacks for its system text, and a plain agent has enough with a
 * user_text. `model` is a model_name.
 */
export function requiredFields(agentType: string, has: (field: string) => boolean): readonly string[] {
  switch (agentType) {
    case 'single_shot':
      if (has('mode')) return ['system_text', 'purpose_text', 'output_schema', 'model'];
      return has('user_text') ? ['model'] : ['system_text', 'model'];
    case 'react':
      return ['model'];
    case 'orchestrating':
      return ['execution_plan'];
    default:
      return [];
  }
}

/** The agent that needs a field, in words: `a react agent`, or `a single_shot agent with a mode` for a field that only structured output needs. */
export function agentNeeding(field: string, agentType: string, has: (field: string) => boolean): string {
  const name = `${agentType === 'orchestrating' ? 'an' : 'a'} ${agentType} agent`;
  const isOfMode = agentType === 'single_shot' && ['purpose_text', 'output_schema'].includes(field) && has('mode');
  return isOfMode ? `${name} with a mode` : name;
}

/** Profiles that a fix offers to name. */
const mostOffered = 5;

/** Fields of agents that work in a loop, most telling first: an agent with these and no agent_type was probably meant as such an agent. */
const fieldsOfLoops = ['client_ids', 'enabled_tools', 'max_iterations', 'include_history'];

/**
 * Fields still missing after layering, reported at the root of the agent file. Not reported: a field given in an invalid form
 * (the schema reports it), or one that a broken reference would have given.
 */
export function checkRequired(
  { config, misfits }: AssembledAgent,
  stack: Stack,
  request: ResolveRequest,
  environmentName: string,
): LayerProblem[] {
  const agentType = String(config.agent_type);
  if (misfits.has('agent_type') || stack.broken.persona) return [];
  const untyped = untypedLoop(stack);
  const problems: LayerProblem[] =
    untyped === undefined
      ? []
      : [
          {
            code: 'effective-config-incomplete',
            message: `${subject(request)} ${untyped}`,
            ...placeOf(request),
            data: { field: 'agent_type', files: stack.files, agent_type: 'react' },
          },
        ];
  if (config.mode !== undefined && request.task === undefined) problems.push(...unwrittenIdentity(request));
  const isGiven = (field: string) => config[field] !== undefined || foreignPlace(field, stack) !== undefined;
  for (const required of requiredOf(config, agentType, isGiven)) {
    const field = required === 'model' ? 'model_name' : required;
    if (!isMissing(required, config, stack) || misfits.has(field)) continue;
    const foreign = foreignPlace(field, stack);
    const profiles = [...request.project.ids('llm').keys()];
    if (required === 'model' && foreign === undefined && stack.llm === undefined && profiles.length > 1) {
      problems.push({
        code: 'model-not-chosen',
        message: `${subject(request)} names no model and no llm profile, no default is set, and there are several profiles: ${firstNames(profiles)}. Name one with llm_config_id there, or for all agents under agent_defaults in ${request.project.settings.config_dir}/system.json.`,
        ...placeOf(request),
        data: { profiles: profiles.slice(0, mostOffered) },
      });
      continue;
    }
    const lacks = required === 'model' ? 'no model' : `no ${field}`;
    const where = foreign === undefined ? `Looked in: ${lookedIn(stack, environmentName)}.` : `${foreign.words}.`;
    const advice = foreign === undefined ? remedy(required, stack, request) : 'Move it to its own name.';
    const better = required === 'model' ? undefined : betterType(stack);
    const offer = better === undefined ? '' : ` With ${better.fields}, "agent_type": "react" may be meant, which needs none.`;
    problems.push({
      code: 'effective-config-incomplete',
      message: `${subject(request)} has ${lacks}, which ${agentNeeding(field, agentType, isGiven)} needs. ${where} ${advice}${offer}`,
      ...placeOf(request),
      data: {
        field,
        files: stack.files,
        ...(offer !== '' && { agent_type: 'react' }),
        ...(foreign !== undefined && { foreign: foreign.file }),
      },
    });
  }
  return problems;
}

/** What the path says of an agent, an agent with a mode writes down as well: source document 000 requires it. */
function unwrittenIdentity(request: ResolveRequest): readonly LayerProblem[] {
  const { file, agent_name, version } = request;
  const identity = { agent_name, version };
  const missing = (['agent_name', 'version'] as const).filter((field) => file !== undefined && !Object.hasOwn(file.value, field));
  return missing.map((field) => ({
    code: 'effective-config-incomplete',
    message: `${subject(request)} has no ${field}, which an agent with a mode needs. Add ${JSON.stringify(field)}: ${JSON.stringify(identity[field])}.`,
    ...placeOf(request),
    data: { field, value: identity[field], files: file === undefined ? [] : [file.path] },
  }));
}

/**
 * The problem of an agent with fields that only a loop uses, but neither a type nor a mode: it would run as a single call and
 * silently ignore its tools. Defaults for all agents are no evidence about this one.
 */
export function untypedLoop({ fragments }: Pick<Stack, 'fragments'>): string | undefined {
  if (isWritten(['agent_type', 'mode'], fragments)) return undefined;
  const ownFragments = fragments.filter(({ layer }) => layer === 'persona' || layer === 'agent' || layer === 'task' || layer === 'call');
  const fields = ['client_ids', 'enabled_tools', 'max_iterations'].filter((field) => isWritten([field], ownFragments));
  if (fields.length === 0) return undefined;
  return `has no agent_type but ${fields.join(', ')}, which a single model call does not use. Add "agent_type": "react", or "single_shot" and remove ${fields.length === 1 ? 'it' : 'them'}.`;
}

/** Whether a file gives one of the fields, under its own name or another tool's name for it. An empty list does not count. */
function isWritten(fields: readonly string[], fragments: readonly Fragment[]): boolean {
  const isGiven = (value: Json | undefined) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  const isOwn = (value: JsonObject) => fields.some((field) => Object.hasOwn(value, field) && isGiven(value[field]));
  const isForeign = (value: JsonObject, names: readonly string[]) =>
    foreignFieldsOf(value, names).some(({ field }) => fields.includes(field));
  const written = fragments.filter(({ file }) => file !== null);
  return (
    written.some(({ kind, value }) => kind !== 'default' && isOwn(value)) ||
    written.some(({ kind, value }) => kind !== 'default' && isForeign(value, fieldNames[kind]))
  );
}

/** The evidence for a loop if no layer names a type. */
function betterType({ fragments }: Stack): { readonly fields: string } | undefined {
  if (isWritten(['agent_type'], fragments)) return undefined;
  const fields = fieldsOfLoops.filter((field) => isWritten([field], fragments));
  return fields.length === 0 ? undefined : { fields: fields.join(', ') };
}

/** Where a layer gives a field under another tool's name for it, which `foreign-name` reports there. */
export function foreignPlace(
  field: string,
  { fragments }: Pick<Stack, 'fragments'>,
): { readonly file: string; readonly words: string } | undefined {
  for (const { file, pointer, kind, value } of fragments) {
    if (file === null || kind === 'default') continue;
    const place = foreignFieldsOf(value, fieldNames[kind]).find((foreign) => foreign.field === field) ?? foreignPrompt(field, value);
    if (place !== undefined) return { file, words: `${file} gives it under another tool's name, as ${pointer}${pointerOf(...place.from)}` };
  }
  return undefined;
}

/** A template, which replaces the system text, under another name: `prompts.systemPromptVersion`. */
function foreignPrompt(field: string, { prompts }: JsonObject): { readonly from: readonly string[] } | undefined {
  if (field !== 'system_text' || !isObject(prompts)) return undefined;
  const key = Object.keys(prompts).find((name) => findForeignName(name, ['system_prompt', 'system_prompt_version']) !== undefined);
  return key === undefined ? undefined : { from: ['prompts', key] };
}

const fieldNames = { agent: [...agentTable.agent.keys()], llm: [...agentTable.llm.keys()] };

/** A plan with `llm` steps needs a model to send its prompts to. */
function requiredOf(config: JsonObject, agentType: string, isGiven: (field: string) => boolean): readonly string[] {
  const required = requiredFields(agentType, isGiven);
  const plan = config.execution_plan;
  const sends = agentType === 'orchestrating' && isObject(plan) && stepsNaming(plan, 'llm').length > 0;
  return sends ? [...required, 'model'] : required;
}

function subject({ agent_name, version, file, task }: ResolveRequest): string {
  if (task === undefined) return `${agent_name}@${version}`;
  return file === undefined
    ? `The task ${JSON.stringify(agent_name)}`
    : `The task ${JSON.stringify(task.value.name ?? '')} (${agent_name}@${version})`;
}

/** Missing fields are reported in the agent file, or in the task if it uses a persona or overrides its agent. */
function placeOf({ file, task }: ResolveRequest): Pick<LayerProblem, 'file' | 'pointer'> {
  const isOfTask = task !== undefined && (file === undefined || task.value.config !== undefined || task.value.agent_type !== undefined);
  return isOfTask ? { file: task.path, pointer: `${task.pointer}/name` } : { file: file?.path ?? null, pointer: '' };
}

function isMissing(field: string, config: JsonObject, stack: Stack): boolean {
  if (field === 'model')
    return config.model_name === undefined && !stack.broken.llm && !builtInProviders.get(String(config.provider))?.needsNoModel;
  // A template replaces the system text; whether the named prompt exists is checked elsewhere.
  if (field === 'system_text') return config.system_text === undefined && config.template === undefined && !namesPrompt(config);
  return config[field] === undefined;
}

function namesPrompt({ prompts }: JsonObject): boolean {
  const { system_prompt, system_prompt_version } = (prompts ?? {}) as JsonObject;
  return system_prompt !== undefined || system_prompt_version !== undefined;
}

/** Every layer with its file, or the remark that it has no file. */
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
  const ownPlace =
    file === undefined ? "the task's config" : task === undefined ? 'the agent file' : "the agent file, in the task's config";
  const others = `in a persona named by persona_key, or under agent_defaults in ${project.settings.config_dir}/system.json`;
  if (field !== 'model') return `Give ${field} in ${ownPlace}, ${others}.`;
  if (llm) return `Give model_name in ${llm.file.path} or in ${ownPlace}.`;
  return `Give model_name or llm_config_id in ${ownPlace}, ${others}, or add a profile to ${project.settings.config_dir}/llms/.`;
}
