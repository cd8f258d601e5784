import { rootKeys } from '../generated/keys.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';

/** Keys that only a file written for Agent Stack has, whichever kind it is. */
const ownKeys = [
  'agent_name',
  'agent_type',
  'system_text',
  'user_text',
  'purpose_text',
  'persona_key',
  'llm_config_id',
  'llm_id',
  'model_name',
  'output_schema',
  'entry_team',
  '$ignore',
];

/** However it is referred to: by id, by path or by address. */
const ownSchema =
  /^agent-stack:|(?:^|[/:])(?:agent|agentstack|baseline|llm|lock|mcp|orchestration|payload|persona|prompt|system)\.schema\.json(?:#|$)/;

/** Whether an object, with its `$schema` and `$ignore`, has a key or schema that only Agent Stack files have. */
export function isWrittenForUs(value: JsonObject): boolean {
  return ownKeys.some((key) => Object.hasOwn(value, key)) || hasOwnSchema(value);
}

export function hasOwnSchema({ $schema }: JsonObject): boolean {
  return typeof $schema === 'string' && ownSchema.test($schema);
}

/**
 * What other tools call our fields: every name in `core/otherTools`, which a test compares. They stand here as well because an editor decides with
 * them whether a folder is a project before it loads anything else.
 */
export const foreignKeys: readonly string[] = (
  'agent agent_config agent_prompt allowed_tools api_base api_key_env_var arguments backstory behavior behaviour chat_model ' +
  'config_validation_schema constraints default_system_prompt disallowedTools endpoint environment exclude_tools excludedTools extra_body ' +
  'generationConfig generation_config goal httpUrl id inputs instructions llm llm_config llm_id llm_profile maxSteps maxTurns ' +
  'max_completion_tokens max_execution_time max_iter max_retries max_retry_limit max_time max_tokens max_turns mcpServers mcp_servers model ' +
  'model_config model_kwargs model_settings name orchestration payload persona prompt purpose recursion_limit response_schema schema serverUrl ' +
  'server_url servers static_tools system system_prompt timeout tool tools transport transportType transport_type unique_name workflow'
).split(' ');

/** Keys that the files of any program may have: they count, but none of them shows whose file it is. */
const commonKeys: ReadonlySet<string> = new Set(
  (
    'name id description version type model tools tool inputs input arguments timeout environment schema system prompt agent llm persona payload ' +
    'provider endpoint servers transport workflow orchestration template variables context options temperature defaults tracing constraints goal ' +
    'purpose environments agents llms policy cases expect data format inputs tags url command max_tokens max_retries max_time instructions model_config'
  ).split(' '),
);

/**
 * Whether a file in one of our places shows that the folder around is a project: by its `$schema`, by a key that only our files have, or because most
 * of its keys are fields of its kind or other tools' names for them, at least one of which not every program uses. Of a text that is no JSON, a key of
 * ours in quotes shows it.
 */
export function hasMark(kind: Kind, value: Json | undefined, text: string): boolean {
  if (value === undefined) return ownKeys.some((key) => text.includes(`"${key}"`));
  if (!isObject(value)) return false;
  return isWrittenForUs(value) || (isMostlyOurs(kind, value) && knownKeys(kind, value).some((key) => !commonKeys.has(key)));
}

/**
 * Whether a file in one of our folders belongs to a project that another file has identified. Keys that any program uses count here, and broken JSON
 * counts as unfinished work.
 */
export function isOfProject(kind: Kind, value: Json | undefined): boolean {
  return value === undefined || (isObject(value) && (isWrittenForUs(value) || isMostlyOurs(kind, value)));
}

function isMostlyOurs(kind: Kind, value: JsonObject): boolean {
  const count = Object.keys(value).filter((key) => key !== '$schema').length;
  return count === 0 || knownKeys(kind, value).length * 2 > count;
}

function knownKeys(kind: Kind, value: JsonObject): readonly string[] {
  const fields = [...(rootKeys[kind] ?? []), ...(rootKeys.agent ?? [])];
  const isKnown = (key: string) => fields.includes(key) || foreignKeys.includes(key);
  return Object.keys(value).filter((key) => key !== '$schema' && (isKnown(key) || isKnown(snakeCase(key))));
}

export function snakeCase(key: string): string {
  return /^[a-z][A-Za-z0-9]*$/.test(key) ? key.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase() : key;
}
