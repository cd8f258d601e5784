import { isObject, type Json, type JsonObject } from '../json.js';
import { allOf, anyOf, isList, isNumber, isString } from './marks.js';
import type { OtherTool } from './types.js';

/** Tools of which only the files and field names are recognised. A tool with more than that has its own file. */
export const recognisedOnly: readonly OtherTool[] = [
  {
    id: 'microsoft-365',
    formats: [{ what: 'a Microsoft 365 declarative agent', schema: /^developer\.microsoft\.com\/json-schemas\/copilot\// }],
  },
  {
    // The Assistants API, the Agents SDK, and the Responses API with its MCP tools.
    id: 'openai',
    formats: [{ what: 'an OpenAI assistant', mark: ({ object }) => (object === 'assistant' ? 'object' : undefined) }],
    names: {
      instructions: ['system_text', 'default_system_prompt'],
      max_completion_tokens: 'max_output_tokens',
      max_turns: 'max_iterations',
      extra_body: 'options',
      server_url: 'url',
      allowed_tools: 'enabled_tools',
    },
    groups: { model_settings: 'model_name' },
  },
  {
    id: 'bedrock',
    formats: [{ what: 'an Amazon Bedrock agent', mark: anyOf({ foundationModel: isString, agentResourceRoleArn: isString }) }],
  },
  {
    id: 'autogen',
    formats: [{ what: 'an AutoGen component', mark: anyOf({ component_type: isString, component_version: isNumber }) }],
  },
  {
    id: 'langchain',
    formats: [
      { what: 'a serialized LangChain object', mark: anyOf({ lc: isNumber }) },
      { what: 'a LangGraph application', mark: allOf({ graphs: isObject, dependencies: isList }) },
    ],
    names: { model_kwargs: 'options', recursion_limit: 'max_iterations' },
  },
  // Of the Vercel AI SDK.
  { id: 'ai-sdk', names: { system: ['system_text', 'default_system_prompt'] } },
  { id: 'windsurf', names: { serverUrl: 'url' } },
  { id: 'n8n', formats: [{ what: 'an n8n workflow', mark: allOf({ nodes: isList, connections: isObject }) }] },
  { id: 'flowise', formats: [{ what: 'a Flowise or Langflow flow', mark: flowKey }] },
];

function flowKey(value: JsonObject): string | undefined {
  const isFlow = (flow: Json | undefined) => isObject(flow) && Array.isArray(flow.nodes) && Array.isArray(flow.edges);
  return isFlow(value) ? 'nodes' : isFlow(value.data) ? 'data' : undefined;
}
