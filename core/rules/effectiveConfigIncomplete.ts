import type { ConfigFile } from '../config/configFile.js';
import { isObject } from '../json.js';
import type { Rule, RuleContext } from './rule.js';
import { findGiven, type Layers, layersOf } from './support/layers.js';

/**
 * After layering a required field is still missing. What is required depends on the agent type (CONFIG.md); the message names every layer
 * looked at and where the field can be given.
 */
export const effectiveConfigIncomplete: Rule = {
  code: 'effective-config-incomplete',
  severity: 'error',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    if (isSurelyComplete(file, context)) return;
    for (const { code, file: place, pointer, message, data } of context.effective(file).problems) {
      if (code !== 'effective-config-incomplete') continue;
      // A price without its other half is written in the profile, and only lacks something once an agent uses it.
      const related = place === file.path || place === null ? {} : { related: [{ file: place, pointer, message: 'The price is here.' }] };
      report({ pointer: place === file.path ? pointer : referenceTo(file), ...related, message, ...(data === undefined ? {} : { data }) });
    }
  },
};

/** Told from the layers without merging them, since nearly every file is complete. Never says yes wrongly. */
function isSurelyComplete(file: ConfigFile, context: RuleContext): boolean {
  const stack = layersOf(file, context);
  if (stack === undefined || hasHalfPrice(stack)) return false;
  const has = (name: string, part?: string) => findGiven(stack, name, part) !== undefined;
  const hasSystem = () => has('system_text') || has('prompts', 'system_prompt') || has('prompts', 'system_prompt_version');
  const hasModel = () => has('model_name') || (stack.hasLlm && findGiven(stack, 'provider')?.value === 'offline');
  switch (findGiven(stack, 'agent_type')?.value) {
    case 'single_shot':
      return has('mode') && hasSystem() && has('purpose_text') && has('output_schema') && hasModel();
    case 'react':
      return hasModel();
    default:
      return has('execution_plan');
  }
}

function hasHalfPrice(stack: Layers): boolean {
  const price = findGiven(stack, 'price');
  return price !== undefined && !(findGiven(stack, 'price', 'input') && findGiven(stack, 'price', 'output'));
}

function referenceTo({ value }: ConfigFile): string {
  return isObject(value) && typeof value.llm_config_id === 'string' ? '/llm_config_id' : '';
}
