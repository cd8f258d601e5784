import { type EffectiveAgent, isPlain } from '../snapshot/effective.js';

/** A text of an effective config in which `{{paths}}` of the payload are filled in. */
export interface AgentTemplate {
  readonly field: 'template' | 'system_text' | 'user_text';
  readonly text: string;
}

type TemplateSource = Pick<EffectiveAgent, 'agent_type' | 'mode' | 'template' | 'system_text' | 'user_text'>;

/** The template of the SYSTEM message; undefined if that has only pure text. A template of the prompt store takes the place of `system_text`. */
export function systemTemplateOf(config: TemplateSource): AgentTemplate | undefined {
  const { template, system_text } = config;
  if (template !== undefined) return { field: 'template', text: template };
  return isPlain(config) && system_text !== undefined ? { field: 'system_text', text: system_text } : undefined;
}

/** The template of the USER message; undefined if that is the payload. */
export function userTemplateOf(config: TemplateSource): AgentTemplate | undefined {
  const { user_text } = config;
  return isPlain(config) && user_text !== undefined ? { field: 'user_text', text: user_text } : undefined;
}

/** Both, in the order in which they are sent. */
export function templatesOf(config: TemplateSource): readonly AgentTemplate[] {
  return [systemTemplateOf(config), userTemplateOf(config)].filter((template) => template !== undefined);
}
