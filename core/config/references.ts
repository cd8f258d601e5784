import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import type { ConfigFile } from './configFile.js';
import type { Reference } from './projectIndex.js';

/**
 * In place of an id: whatever llm profile an agent gets that names neither a model nor a profile. The index takes it for a reference to
 * the first profile by id.
 */
export const anyLlm = '*';

/**
 * Which other files this one names, in file order. Agents and prompts are named by `name@version`; an `agents` key of system.json names an
 * agent without version. Values of the wrong type are skipped: the schema reports them.
 */
export function collectReferences(file: Pick<ConfigFile, 'path' | 'identity' | 'value'>): readonly Reference[] {
  const { path, identity, value } = file;
  if (!isObject(value)) return [];
  const references: Reference[] = [];
  const add = (kind: Reference['kind'], id: Json | undefined, pointer: string) => {
    if (typeof id === 'string' && id !== '') references.push({ kind, id, file: path, pointer });
  };
  switch (identity.kind) {
    case 'agent':
      agentFields(value, '', identity.name, add);
      if (!namesModel.some((field) => Object.hasOwn(value, field))) add('llm', anyLlm, '');
      break;
    case 'persona':
      agentFields(value, '', undefined, add);
      break;
    case 'system':
      systemFields(value, add);
      break;
    case 'payload':
      add('agent', identity.agent, '');
      break;
    default:
  }
  return references;
}

/** An agent with one of these does not get the first profile, or not without its persona. */
const namesModel = ['llm_config_id', 'model_name', 'persona_key'];

type Add = (kind: Reference['kind'], id: Json | undefined, pointer: string) => void;

/** @param agentName whose prompts `system_prompt_version` means; undefined for a fragment that may lie under several agents */
function agentFields(value: JsonObject, at: string, agentName: string | undefined, add: Add): void {
  add('llm', value.llm_config_id, `${at}/llm_config_id`);
  add('persona', value.persona_key, `${at}/persona_key`);
  if (!isObject(value.prompts)) return;
  const { system_prompt, system_prompt_version } = value.prompts;
  add('prompt', system_prompt, `${at}/prompts/system_prompt`);
  if (agentName !== undefined && typeof system_prompt_version === 'string') {
    add('prompt', `${agentName}@${system_prompt_version}`, `${at}/prompts/system_prompt_version`);
  }
}

function systemFields(value: JsonObject, add: Add): void {
  for (const part of ['agent_defaults', 'persona_defaults']) {
    const fields = value[part];
    if (isObject(fields)) agentFields(fields, pointerOf(part), undefined, add);
  }
  if (isObject(value.llms)) for (const id of Object.keys(value.llms)) add('llm', id, pointerOf('llms', id));
  if (!isObject(value.agents)) return;
  for (const [name, fields] of Object.entries(value.agents)) {
    add('agent', name, pointerOf('agents', name));
    if (isObject(fields)) agentFields(fields, pointerOf('agents', name), name, add);
  }
}
