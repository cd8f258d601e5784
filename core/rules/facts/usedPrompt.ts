import type { ConfigFile } from '../../config/configFile.js';
import { isObject, type JsonObject } from '../../json.js';
import type { RuleContext } from '../rule.js';
import { findSetting, type Layers, type Setting } from './layers.js';

/** The prompt-store file whose template an agent uses. */
export interface UsedPrompt {
  /** `name@version`. */
  readonly id: string;
  readonly path: string;
  readonly value: JsonObject;
  readonly template: string;
  /** The value that names it. */
  readonly reference: Setting;
}

/** Undefined when no prompt is named, it does not exist, or a variable names it. */
export function findUsedPrompt(file: ConfigFile, stack: Layers, { project }: RuleContext): UsedPrompt | undefined {
  const whole = findSetting(stack, 'prompts', 'system_prompt');
  const version = findSetting(stack, 'prompts', 'system_prompt_version');
  const reference = higher(stack, whole, version);
  if (reference === undefined || typeof reference.value !== 'string' || reference.value.includes('${')) return undefined;
  const id = reference === whole ? reference.value : `${file.identity.name}@${reference.value}`;
  const path = project.ids('prompt').get(id);
  const value = project.value('prompt', id);
  if (path === undefined || !isObject(value) || typeof value.template !== 'string') return undefined;
  return { id, path, value, template: value.template, reference };
}

/** The reference of the higher layer counts; within a layer, the one to a whole `name@version`. */
function higher({ fragments }: Layers, whole: Setting | undefined, version: Setting | undefined): Setting | undefined {
  if (whole === undefined || version === undefined) return whole ?? version;
  return fragments.indexOf(version.fragment) > fragments.indexOf(whole.fragment) ? version : whole;
}
