import type { ConfigFile } from '../config/configFile.js';
import { comparisonsIn } from '../config/orchestrationParts.js';
import type { RelatedPlace } from '../finding.js';
import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import { findTemplatePaths } from '../prompt/template.js';
import { quoted } from '../words.js';
import { type AgentTemplate, findTemplates } from './facts/agentTexts.js';
import { findSetting, type Layers, layersOf } from './facts/layers.js';
import { visitStrings } from './facts/visitStrings.js';
import type { Rule, RuleContext } from './rule.js';

/**
 * A key of `input_keys` that nothing sends: neither a template or example of a plain agent with a user_text, nor a plan. Every other agent sends its
 * whole payload after the system text, whatever its template names.
 */
export const inputKeyUnused: Rule = {
  code: 'input-key-unused',
  severity: 'warning',
  kinds: ['agent'],
  on: 'value',
  check(file, context, report) {
    const keys = isObject(file.value) ? file.value.input_keys : undefined;
    if (!Array.isArray(keys) || keys.length === 0 || mayHaveNoTemplate(file, context)) return;
    const stack = layersOf(file, context);
    if (stack === undefined) return;
    const templates = findTemplates(file, stack, context);
    // Most templates use every key in the plainest form, which needs no parsing.
    if (templates.some(({ text }) => keys.every((key) => text.includes(`{{input.${key}}}`)))) return;
    const use = findUse(stack, templates);
    if (use === undefined || use.keys === 'all') return;
    for (const [index, key] of (keys as readonly Json[]).entries()) {
      if (typeof key !== 'string' || key === '' || use.keys.has(key)) continue;
      report({
        pointer: `/input_keys/${index}`,
        related: use.templates,
        message: `The payload must have ${quoted(key)}, but no template of this agent uses it. Use {{input.${key}}}, or remove the key.`,
        data: { key },
      });
    }
  },
};

function mayHaveNoTemplate({ value }: ConfigFile, { project }: RuleContext): boolean {
  if (project.ids('prompt').size > 0 || !isObject(value)) return false;
  return value.execution_plan === undefined && value.persona_key === undefined && value.user_text === undefined;
}

interface Use {
  /** The payload's keys that are used; `all` where something uses the whole payload. */
  readonly keys: ReadonlySet<string> | 'all';
  readonly templates: readonly RelatedPlace[];
}

/** Undefined where the agent sends its whole payload. */
function findUse(stack: Layers, agentTemplates: readonly AgentTemplate[]): Use | undefined {
  const hasUserText = agentTemplates.some(({ field }) => field === 'user_text');
  const plan = findSetting(stack, 'execution_plan');
  if (!hasUserText && !isObject(plan?.value)) return undefined;
  const own = hasUserText ? agentTemplates : agentTemplates.filter(({ prompt }) => prompt);
  const keys = new Set<string>();
  const templates: RelatedPlace[] = [];
  let takesAll = false;
  const take = (text: string) => {
    for (const { segments } of findTemplatePaths(text)) {
      if (segments[0] !== 'input') continue;
      if (segments[1] === undefined) takesAll = true;
      else keys.add(segments[1]);
    }
  };
  for (const { text, file, pointer, prompt } of own) {
    take(text);
    if (prompt && findSetting(stack, 'prompts', 'few_shot_examples')?.value !== false)
      for (const key of exampleKeys(prompt.value)) keys.add(key);
    templates.push({ file, pointer, message: 'The template is here.' });
  }
  if (isObject(plan?.value)) {
    // A step without input gets the payload of the plan, except a prompt, which names the keys it uses.
    takesAll ||= stepsIn(plan.value).some(({ input, llm }) => input === undefined && llm === undefined);
    for (const { when, repeat } of stepsIn(plan.value)) {
      for (const { value } of comparisonsIn([when ?? [], isObject(repeat) ? (repeat.until ?? []) : []], '')) {
        if (typeof value.context_field === 'string') keys.add(value.context_field.split('.', 1)[0] ?? '');
      }
    }
    visitStrings(plan.value, (text, half) => half === 'value' && text.includes('{{') && take(text));
    const { file: place } = plan.fragment;
    if (place !== null) templates.push({ file: place, pointer: plan.pointer, target: 'key', message: 'The plan is here.' });
  }
  return templates.length === 0 ? undefined : { keys: takesAll ? 'all' : keys, templates };
}

/** The keys of the payloads in the prompt's examples, which the model sees. */
function exampleKeys({ few_shot_examples: examples }: JsonObject): readonly string[] {
  return listOf(examples).flatMap((example) => (isObject(example) && isObject(example.input) ? Object.keys(example.input) : []));
}

function stepsIn({ steps }: JsonObject): readonly JsonObject[] {
  return Array.isArray(steps) ? (steps as readonly Json[]).filter(isObject) : [];
}
