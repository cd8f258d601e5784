import type { ConfigFile } from '../../config/configFile.js';
import type { RuleContext } from '../rule.js';
import { findSetting, type Layers, type Setting } from './layers.js';
import { findUsedPrompt, type UsedPrompt } from './usedPrompt.js';

/** A text of an agent whose `{{paths}}` are filled in with its payload. */
export interface AgentTemplate {
  readonly text: string;
  readonly field: 'template' | 'system_text' | 'user_text';
  /** Project path of the file it is written in, and its place there. */
  readonly file: string;
  readonly pointer: string;
  /** The text itself, or the reference to the prompt that has it. */
  readonly setting: Setting;
  readonly prompt: UsedPrompt | undefined;
}

/** Whether an agent is sent as written, see `isPlain` of the effective config. */
export function isPlainIn(stack: Layers): boolean {
  return findSetting(stack, 'agent_type')?.value === 'single_shot' && findSetting(stack, 'mode') === undefined;
}

/** The templates of an agent in the order in which they are sent: of a plain agent its own texts, of any agent that of the prompt store. */
export function findTemplates(file: ConfigFile, stack: Layers, context: RuleContext): readonly AgentTemplate[] {
  const prompt = findUsedPrompt(file, stack, context);
  const ofPrompt: readonly AgentTemplate[] =
    prompt === undefined
      ? []
      : [{ text: prompt.template, field: 'template', file: prompt.path, pointer: '/template', setting: prompt.reference, prompt }];
  if (!isPlainIn(stack)) return ofPrompt;
  const own = (field: 'system_text' | 'user_text'): readonly AgentTemplate[] => {
    const setting = findSetting(stack, field);
    if (setting === undefined || typeof setting.value !== 'string' || setting.fragment.file === null) return [];
    return [{ text: setting.value, field, file: setting.fragment.file, pointer: setting.pointer, setting, prompt: undefined }];
  };
  return [...(prompt === undefined ? own('system_text') : ofPrompt), ...own('user_text')];
}
