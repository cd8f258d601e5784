import { nearestAmong } from '../names.js';

/** A field of ours under the name other tools give it. */
export interface ForeignName {
  readonly replacement: string;
  /** Whether a rename alone keeps the meaning, so that fix-all may do it. */
  readonly safe: boolean;
  /** What differs besides the name; a sentence. */
  readonly difference?: string;
}

/** CONFIG.md, "Names other tools use". */
const foreignNames: ReadonlyMap<string, readonly ForeignName[]> = new Map([
  ...alike(['system_prompt', 'instructions', 'system', 'backstory', 'agent_prompt'], 'system_text', 'default_system_prompt'),
  ...alike(['default_system_prompt'], 'system_text'),
  ...alike(['purpose', 'goal'], 'purpose_text'),
  ...alike(['name', 'id'], 'agent_name', 'llm_id'),
  // An agent's own name, or that of a task.
  ...alike(['unique_name'], 'agent_name', 'name'),
  ...alike(['model', 'chat_model'], 'model_name'),
  ...alike(['llm_id', 'llm_profile'], 'llm_config_id'),
  ...alike(['max_tokens', 'max_completion_tokens'], 'max_output_tokens'),
  ...alike(['schema', 'response_schema', 'config_validation_schema'], 'output_schema'),
  ...alike(['persona'], 'persona_key'),
  // Agents name servers by id. Files that define them have them under one of two keys, and their fields under many names.
  ...alike(['mcp_servers', 'mcpServers'], 'client_ids', 'servers', 'mcpServers'),
  ...alike(['servers'], 'mcpServers'),
  ...alike(['serverUrl', 'server_url', 'httpUrl', 'endpoint'], 'url'),
  ...alike(['environment'], 'env'),
  ...alike(['transport', 'transportType', 'transport_type'], 'type'),
  ...alike(['tools', 'static_tools', 'allowed_tools'], 'enabled_tools'),
  // What a step of a plan calls.
  ...alike(['tool'], 'skill'),
  ...alike(['api_key_env_var'], 'api_key_env'),
  ...alike(['model_kwargs', 'extra_body'], 'options'),
  ...alike(['exclude_tools'], 'exclude_components'),
  ...alike(['inputs', 'payload', 'arguments'], 'input'),
  ...alike(['constraints'], 'budget'),
  ...alike(['max_turns', 'recursion_limit'], 'max_iterations'),
  ['timeout', [{ replacement: 'timeout_ms', safe: false, difference: 'It is in milliseconds: convert the value if it counts seconds.' }]],
  ['max_time', [{ replacement: 'max_time_ms', safe: false, difference: 'It is in milliseconds: convert the value if it counts seconds.' }]],
  ['max_retries', [{ replacement: 'retry_attempts', safe: false, difference: 'It counts tries, the first included: retries + 1.' }]],
]);

/** Which of the fields in `names` another tool calls `key`; a field of ours in camelCase is one too. */
export function findForeignName(key: string, names: readonly string[]): ForeignName | undefined {
  if (names.includes(key)) return undefined;
  const own = snakeCase(key);
  const isKnown = ({ replacement }: ForeignName) => names.includes(replacement);
  const named = foreignNames.get(key)?.find(isKnown) ?? foreignNames.get(own)?.find(isKnown);
  return named ?? (own !== key && names.includes(own) ? { replacement: own, safe: true } : undefined);
}

/** Finds the fields in `names` that other tools call by a name that a key is a misspelling of. */
export function misspeltAmong(names: readonly string[]): (key: string) => readonly string[] {
  const known = [...foreignNames].filter(([, meant]) => meant.some(({ replacement }) => names.includes(replacement)));
  const findNearest = nearestAmong(known.map(([name]) => name));
  return (key) => [...new Set(findNearest(key).flatMap((name) => findForeignName(name, names)?.replacement ?? []))];
}

function snakeCase(key: string): string {
  return /^[a-z][A-Za-z0-9]*$/.test(key) ? key.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase() : key;
}

function alike(keys: readonly string[], ...replacements: readonly string[]): [string, readonly ForeignName[]][] {
  return keys.map((key) => [key, replacements.map((replacement) => ({ replacement, safe: true }))]);
}
