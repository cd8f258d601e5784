import { isObject, type Json, type JsonObject } from '../../json.js';
import { findTemplatePaths } from '../../prompt/template.js';
import type { RuleContext } from '../rule.js';

/**
 * The length, in UTF-16 units, of the template that an agent's `prompts` names, when that is plain: `system_prompt` and nothing else, the name
 * of a prompt that exists, shows no examples, and takes from the input just what the agent's own `input_keys` has. Else undefined.
 */
export function findPlainTemplate({ prompts, input_keys: keys }: JsonObject, { project }: RuleContext): number | undefined {
  if (!isObject(prompts) || !Array.isArray(keys)) return undefined;
  for (const name in prompts) if (name !== 'system_prompt') return undefined;
  const { system_prompt: id } = prompts;
  const prompt = typeof id === 'string' && !id.includes('${') ? project.value('prompt', id) : undefined;
  const template = prompt && lookInto(prompt);
  if (template === undefined) return undefined;
  for (const key of template.inputKeys) if (!keys.includes(key)) return undefined;
  for (const key of keys as readonly Json[]) if (typeof key !== 'string' || !template.inputKeys.includes(key)) return undefined;
  return template.length;
}

interface PlainTemplate {
  readonly length: number;
  /** Each once. */
  readonly inputKeys: readonly string[];
}

function lookInto(prompt: JsonObject): PlainTemplate | undefined {
  const known = looked.get(prompt);
  if (known !== undefined) return known.template;
  const { template: text, few_shot_examples: examples } = prompt;
  const template = typeof text === 'string' && examples === undefined ? { length: text.length, inputKeys: inputKeysIn(text) } : undefined;
  looked.set(prompt, { template });
  return template;
}

/** A value never changes, and the answer depends on nothing else. */
const looked = new WeakMap<JsonObject, { readonly template: PlainTemplate | undefined }>();

function inputKeysIn(text: string): readonly string[] {
  const keys = new Set<string>();
  for (const { segments } of findTemplatePaths(text)) {
    const [root, key] = segments;
    if (root === 'input' && key !== undefined) keys.add(key);
  }
  return [...keys];
}
