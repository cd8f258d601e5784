import { builtInProviders } from '../builtInProviders.js';
import type { ConfigFile } from '../config/configFile.js';
import { type TaskPart, tasksIn, teamsIn } from '../config/orchestrationParts.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type Json } from '../json.js';
import { addressMissing } from '../snapshot/effectiveLlm.js';
import { agentTable, fits } from '../snapshot/fields.js';
import { agentNeeding, foreignPlace, requiredFields, untypedLoop } from '../snapshot/required.js';
import { quoted } from '../words.js';
import { findSetting, type Layers } from './facts/layers.js';
import { taskLayersOf } from './facts/taskLayers.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A required field of an agent or a task that no layer gives. Which fields are required depends on the agent type (CONFIG.md);
 * the message lists the layers searched and where the field can be given.
 */
export const effectiveConfigIncomplete: Rule = {
  code: 'effective-config-incomplete',
  severity: 'error',
  kinds: ['agent', 'orchestration', 'llm'],
  on: 'value',
  check(file, context, report) {
    if (file.identity.kind === 'llm') return checkProfile(file, context, report);
    if (file.identity.kind === 'orchestration') {
      for (const task of teamsIn(file.value).flatMap(tasksIn)) checkTask(file, task, context, report);
      return;
    }
    for (const { code, file: place, pointer, message, data } of context.effective(file).problems) {
      if (code !== 'effective-config-incomplete' || (data?.foreign !== undefined && speaksOfForeignNames(file, context))) continue;
      const isAddress = data?.field === 'base_url';
      // A missing address is reported in its profile.
      if (isAddress && place !== file.path && [...context.project.ids('llm').values()].includes(place ?? '')) continue;
      // An incomplete price in a profile matters only once an agent uses it.
      const where = isAddress ? 'The provider is named here.' : 'The price is here.';
      const related = place === file.path || place === null ? {} : { related: [{ file: place, pointer, message: where }] };
      report({ pointer: place === file.path ? pointer : referenceTo(file), ...related, message, ...(data === undefined ? {} : { data }) });
    }
  },
};

/** A profile whose provider has no default address, where no lower layer gives one either. */
function checkProfile({ identity, value }: ConfigFile, { project }: RuleContext, report: Report): void {
  if (!isObject(value) || typeof value.provider !== 'string' || builtInProviders.get(value.provider)?.exampleAddress === undefined) return;
  const { environment } = project.settings;
  const below = ['system', environment === 'system' ? 'environments/system' : environment].map((id) => {
    const profiles = project.value('system', id)?.llms;
    return isObject(profiles) ? profiles[identity.name] : undefined;
  });
  if ([value, ...below].some((layer) => isObject(layer) && (layer.base_url ?? null) !== null)) return;
  report({ pointer: '/provider', message: addressMissing(value.provider), data: { field: 'base_url' } });
}

/** A field that the agent file lacks is reported there; a task is at fault where its overrides remove a field. */
function checkTask(file: ConfigFile, task: TaskPart, context: RuleContext, report: Report): void {
  if (task.value.agent !== undefined && task.value.config === undefined && task.value.agent_type === undefined) return;
  const stack = taskLayersOf(file, task, context);
  if (stack === undefined) return;
  const [lowest, ...above] = stack.fragments;
  const without = { ...stack, fragments: [lowest, ...above.filter(({ layer }) => layer !== 'task')] as const };
  const missingBefore = stack.agent === undefined ? [] : missingIn(without, context.project);
  const files = [...new Set(stack.fragments.flatMap((fragment) => (fragment.file === null ? [] : [fragment.file])))];
  const type = String(findSetting(stack, 'agent_type')?.value);
  const untyped = untypedLoop(stack);
  if (untyped !== undefined && (stack.agent === undefined || untypedLoop(without) === undefined))
    report({
      pointer: `${task.pointer}/name`,
      message: `The task ${quoted(task.name)} ${untyped}`,
      data: { field: 'agent_type', files, agent_type: 'react' },
    });
  for (const field of missingIn(stack, context.project)) {
    if (missingBefore.includes(field) || (foreignPlace(field, stack) !== undefined && speaksOfForeignNames(file, context))) continue;
    const relatedFile = stack.agent?.path ?? context.project.ids('persona').get(String(task.value.persona_key));
    report({
      pointer: `${task.pointer}/name`,
      ...(relatedFile !== undefined && { related: [{ file: relatedFile, pointer: '', message: `${field} could be given here.` }] }),
      message: `The task ${quoted(task.name)} has no ${field}, which ${agentNeeding(field, type, isGivenIn(stack))} needs. Looked in: ${['built-in defaults', ...files].join(', ')}. Give it in the ${stack.agent === undefined ? 'persona' : 'agent file'} or in the config of the task.`,
      data: { field, files },
    });
  }
}

/** A field under another tool's name is reported by foreign-name; where that rule is silenced, the field is missing. */
function speaksOfForeignNames(file: ConfigFile, { project }: RuleContext): boolean {
  return !file.ignore.has('foreign-name') && project.settings.rules['foreign-name'] !== 'off';
}

/** Required fields that no layer gives. A field with an invalid form in some layer is reported by the schema. */
function missingIn(stack: Layers, project: ProjectIndex): readonly string[] {
  const has = (name: string, part?: string) => findSetting(stack, name, part) !== undefined;
  const isMisfit = (name: string) => {
    const form = agentTable.agent.get(name);
    return stack.fragments.some(
      ({ value }) => form !== undefined && Object.hasOwn(value, name) && value[name] !== null && !fits(form, value[name] as Json),
    );
  };
  if (isMisfit('agent_type')) return [];
  return requiredFields(String(findSetting(stack, 'agent_type')?.value), isGivenIn(stack)).flatMap((required) => {
    const field = required === 'model' ? 'model_name' : required;
    if (has(field) || isMisfit(field)) return [];
    if (field === 'system_text' && (has('prompts', 'system_prompt') || has('prompts', 'system_prompt_version'))) return [];
    if (field !== 'model_name') return [field];
    // A reference to a profile that does not exist is reported on its own.
    const isBroken = has('llm_config_id') && !stack.hasLlm;
    // With several profiles and no choice, model-not-chosen reports.
    if (!stack.hasLlm && project.ids('llm').size > 1 && foreignPlace(field, stack) === undefined) return [];
    const isSelfSufficient = builtInProviders.get(String(findSetting(stack, 'provider')?.value))?.needsNoModel === true;
    return isBroken || isSelfSufficient ? [] : [field];
  });
}

/** Whether some layer gives a field, under its own name or another tool's. */
function isGivenIn(stack: Layers): (field: string) => boolean {
  return (field) => findSetting(stack, field) !== undefined || foreignPlace(field, stack) !== undefined;
}

function referenceTo({ value }: ConfigFile): string {
  return isObject(value) && typeof value.llm_config_id === 'string' ? '/llm_config_id' : '';
}
