import { isObject, type JsonObject } from '../json.js';
import { anyOf, isString } from './marks.js';
import type { OtherTool } from './types.js';
import { retryAttempts } from './values.js';

/** Shared by many programs: files that configure no agent, and field names that more than one tool uses. */
export const common: OtherTool = {
  id: 'common',
  formats: [
    {
      what: 'a list of MCP servers',
      mark: (value) => (isObject(value.mcpServers) && hasOnly(value, 'mcpServers') ? 'mcpServers' : undefined),
    },
    { what: 'an OpenAPI description', mark: anyOf({ openapi: isString, swagger: isString }) },
    { what: 'an npm package', mark: anyOf({ devDependencies: isObject, scripts: isObject, dependencies: isObject }) },
    { what: 'a TypeScript config', mark: anyOf({ compilerOptions: isObject }) },
    { what: 'a JSON Schema', schema: /^json-schema\.org\// },
  ],
  names: {
    name: ['agent_name', 'llm_id'],
    id: ['agent_name', 'llm_id'],
    model: 'model_name',
    purpose: 'purpose_text',
    llm_profile: 'llm_config_id',
    max_tokens: 'max_output_tokens',
    tools: 'enabled_tools',
    // What a step of a plan calls.
    tool: 'skill',
    exclude_tools: 'exclude_components',
    // Agents name servers by id. Files that define them have them under one of two keys, and their fields under many names.
    mcpServers: ['client_ids', 'servers'],
    servers: 'mcpServers',
    endpoint: 'url',
    transport: 'type',
    transportType: 'type',
    transport_type: 'type',
    inputs: 'input',
    payload: 'input',
    arguments: 'input',
    constraints: 'budget',
    timeout: { field: 'timeout_ms', difference: 'It is in milliseconds: convert the value if it counts seconds.' },
    max_time: { field: 'max_time_ms', difference: 'It is in milliseconds: convert the value if it counts seconds.' },
    max_retries: retryAttempts,
  },
  groups: {
    llm: 'model_name',
    llm_config: 'model_name',
    model_config: 'model_name',
    // What a file is about, as the one key of the file.
    agent: 'agent_type',
    agent_config: 'agent_type',
    persona: 'agent_type',
    orchestration: 'entry_team',
    workflow: 'entry_team',
  },
};

function hasOnly(value: JsonObject, key: string): boolean {
  return Object.keys(value).every((other) => other === key || other === '$schema');
}
